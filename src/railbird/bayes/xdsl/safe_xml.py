"""XML from anybody, read into a tree without risk: no document types, no entities, bounded size, depth and count.

>>> root = parse(b"<a>one<b c='two'/></a>")
>>> root.text, root.child("b").attributes
('one', {'c': 'two'})
"""

from dataclasses import dataclass, field
from xml.parsers import expat

MOST_BYTES = 64 * 1024 * 1024
MOST_ELEMENTS = 200_000
MOST_DEPTH = 50

_UNFINISHED = {
    expat.errors.codes[message]
    for message in (
        expat.errors.XML_ERROR_NO_ELEMENTS,
        expat.errors.XML_ERROR_UNCLOSED_TOKEN,
        expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION,
        expat.errors.XML_ERROR_PARTIAL_CHAR,
    )
}


class XmlError(ValueError):
    """Something in a line of an XML file that is not taken."""

    def __init__(self, line: int, sentence: str) -> None:
        super().__init__(f"line {line}: {sentence}")


@dataclass(slots=True)
class Element:
    """An element with all that is in it, and the line on which it begins."""

    tag: str
    attributes: dict[str, str]
    line: int
    text: str = ""
    children: list["Element"] = field(default_factory=list)

    def child(self, tag: str) -> "Element | None":
        """The first child of a kind."""
        return next((each for each in self.children if each.tag == tag), None)


class _Builder:
    """Takes what the parser finds and grows the tree."""

    def __init__(self) -> None:
        self.root: Element | None = None
        self._open: list[Element] = []
        self._pieces: list[list[str]] = []
        self._count = 0
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartDoctypeDeclHandler = self._refuse_document_type
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._add_text

    def parse(self, content: bytes) -> None:
        try:
            self._parser.Parse(content, True)
        except expat.ExpatError as error:
            if error.code in _UNFINISHED:
                raise XmlError(error.lineno, "the file ends before its last element does") from None
            raise XmlError(error.lineno, f"is not XML: {expat.ErrorString(error.code)}") from None
        except XmlError:
            raise
        except (LookupError, ValueError) as error:
            raise XmlError(self._line, f"the encoding of the file is not known: {error}") from None

    @property
    def _line(self) -> int:
        return self._parser.CurrentLineNumber

    def _refuse_document_type(self, *_: object) -> None:
        raise XmlError(self._line, "a document type (DOCTYPE), which could define entities, is not taken")

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._count += 1
        if self._count > MOST_ELEMENTS:
            raise XmlError(self._line, f"there are more than {MOST_ELEMENTS:,} elements")
        if len(self._open) >= MOST_DEPTH:
            raise XmlError(self._line, f"elements are nested deeper than {MOST_DEPTH}")
        element = Element(tag, attributes, self._line)
        if self._open:
            self._open[-1].children.append(element)
        else:
            self.root = element
        self._open.append(element)
        self._pieces.append([])

    def _end(self, _: str) -> None:
        self._open.pop().text = "".join(self._pieces.pop())

    def _add_text(self, text: str) -> None:
        self._pieces[-1].append(text)


def parse(content: bytes) -> Element:
    """The root of an XML file, with everything below it; comments and processing instructions are left out."""
    if len(content) > MOST_BYTES:
        raise XmlError(1, f"the file has more than {MOST_BYTES:,} bytes")
    builder = _Builder()
    builder.parse(content)
    assert builder.root is not None
    return builder.root
