from storm.databases.formats.headings import group_by_heading, markdown_parts


def test_texts_stand_under_their_headings_and_those_above() -> None:
    blocks = [(0, "Opening."), (2, "Results"), (0, "One."), (0, "Two."), (3, "Harms"), (0, "Few."), (2, "Discussion"),
              (0, "So."), (2, "Empty")]  # fmt: skip
    assert group_by_heading(blocks) == [
        ("", "Opening."),
        ("Results", "One.\n\nTwo."),
        ("Results: Harms", "Few."),
        ("Discussion", "So."),
    ]


def test_markdown_is_cut_at_its_headings() -> None:
    text = "Opening.\n\n# A trial\n\n## Results ##\nIt fell by #1.\n#hashtag\n### Harms\nFew."
    assert markdown_parts(text) == [
        ("", "Opening."),
        ("A trial: Results", "It fell by #1.\n#hashtag"),
        ("A trial: Results: Harms", "Few."),
    ]


def test_a_text_without_headings_is_one_part() -> None:
    assert markdown_parts("Just words.") == [("", "Just words.")]
    assert markdown_parts("") == []
