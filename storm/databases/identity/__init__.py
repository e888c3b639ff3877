"""Which drug a name means, by what drug databases say of it."""
