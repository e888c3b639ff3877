"""Letters that the fonts lack, in Latin letters."""

from __future__ import annotations

from storm.export.missing_letters import read_missing_letters, replace_in_svg, replace_letters, write_in_latin

MESSAGE = """\
error: PDF/UA-1 error: the text `"王"` could not be displayed with font `"Libertinus Serif"`
error: PDF/UA-1 error: the text `"x\\u{489}\\""` could not be displayed with font `"Libertinus Serif"`
"""


def test_the_message_of_the_compiler_names_the_letters() -> None:
    assert read_missing_letters(MESSAGE) == {"王", "\u0489"}
    assert read_missing_letters("error: the document has no title") == set()


def test_a_run_of_letters_is_written_between_one_pair_of_brackets() -> None:
    assert replace_letters("by 王伟 and Bo", {"王", "伟"}) == "by ⟨WangWei⟩ and Bo"
    assert replace_letters("by Ann", {"王"}) == "by Ann"


def test_the_letters_of_a_picture_do_not_become_markup() -> None:
    assert replace_in_svg("<text>王＜</text>", {"王", "＜"}) == "<text>⟨Wang&lt;⟩</text>"


def test_a_letter_without_latin_letters_is_its_code() -> None:
    assert write_in_latin("\u0301王\u0302") == "U+0301WangU+0302"
