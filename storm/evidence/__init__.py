"""What a document says about the drug: its sentences, what kind each is, and which are worth printing."""
