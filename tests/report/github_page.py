"""What GitHub makes of Markdown: its own parser, then what it does to the text (mentions, references), as far as it is public."""

import re
from collections import Counter
from html.parser import HTMLParser

import cmarkgfm
from cmarkgfm.cmark import Options

from plugin_eval_ci.report.rules import HOME

TRUSTED = "https://git.example.org/shop/store/blob/" + "ab" * 20 + "/"
OURS = {
    "h3", "h4", "p", "ul", "li", "table", "thead", "tbody", "tr", "th", "td", "strong", "code", "a", "br", "sub", "details",
    "summary",
}  # fmt: skip
ATTRIBUTES = {("th", "align"), ("td", "align"), ("a", "href")}
# @name and @org/team; #12, owner/repo#12; GH-12; :emoji: of letters, which become pictures
SPOKEN_TO = re.compile(r"@\w|(?<!\w)#\d|\w#\d|\bGH-\d|:[a-z+][a-z0-9_+-]*:", re.IGNORECASE)


class Page(HTMLParser):
    """The tags, the links, and whatever is not ours."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: Counter[str] = Counter()
        self.links: list[str] = []
        self.foreign: list[str] = []
        self.text = ""
        self._code = 0

    def handle_starttag(self, tag, attrs):
        self.tags[tag] += 1
        self._code += tag == "code"
        if tag not in OURS or any((tag, name) not in ATTRIBUTES for name, _ in attrs):
            self.foreign.append(f"<{tag} {attrs}>")
        if tag == "a":
            href = dict(attrs).get("href") or ""
            self.links.append(href)
            if not href.startswith((HOME + "/blob/v", TRUSTED)) and href != HOME:
                self.foreign.append(f"link {href}")

    def handle_endtag(self, tag):
        self._code -= tag == "code"

    def handle_data(self, data):
        self.text += data
        if not self._code and SPOKEN_TO.search(data):
            self.foreign.append(f"text {data!r}")

    def handle_comment(self, data):
        if not re.fullmatch(r" plugin-eval-ci:(comment|issue):[\w.-]+ ", data):
            self.foreign.append(f"comment {data!r}")

    def handle_decl(self, decl):
        self.foreign.append(f"declaration {decl!r}")

    def handle_pi(self, data):
        self.foreign.append(f"instruction {data!r}")

    def unknown_decl(self, data):
        self.foreign.append(f"declaration {data!r}")


def html_of(markdown: str) -> str:
    """Raw HTML is kept: what GitHub would take out afterwards is to be seen here."""
    return cmarkgfm.github_flavored_markdown_to_html(markdown, Options.CMARK_OPT_UNSAFE | Options.CMARK_OPT_FOOTNOTES)


def as_github(markdown: str) -> Page:
    page = Page()
    page.feed(html_of(markdown))
    page.close()
    return page
