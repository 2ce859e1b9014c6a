"""Statements over a stream of tokens: the lexer keeps its place in the text (LATEST, Figure 3)."""

from dataclasses import dataclass

END, NAME, NUMBER, WHILE, DO, IF, THEN, SIGN, OTHER = range(9)


@dataclass
class Token:
    kind: int
    at: int


class Stream:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def word(self, start: int, word: str) -> bool:
        i = 0
        while i < len(word):
            if start + i >= len(self.text) or self.text[start + i] != word[i]:
                return False
            i += 1
        return True

    def lex(self) -> Token:
        while self.at < len(self.text) and self.text[self.at] == " ":
            self.at += 1
        start = self.at
        if start >= len(self.text):
            return Token(END, start)
        if self.word(start, "while"):
            self.at += 5
            return Token(WHILE, start)
        if self.word(start, "then"):
            self.at += 4
            return Token(THEN, start)
        if self.word(start, "do"):
            self.at += 2
            return Token(DO, start)
        if self.word(start, "if"):
            self.at += 2
            return Token(IF, start)
        c = self.text[start]
        self.at += 1
        if "a" <= c <= "z":
            return Token(NAME, start)
        if "0" <= c <= "9":
            return Token(NUMBER, start)
        if c == "<" or c == "=":
            return Token(SIGN, start)
        return Token(OTHER, start)


def parse(text: str) -> str:
    stream = Stream(text)
    token = stream.lex()
    if token.kind == WHILE:
        if stream.lex().kind != NAME:
            return "while needs a name"
        if stream.lex().kind != SIGN:
            return "while needs a comparison"
        if stream.lex().kind != NUMBER:
            return "while needs a number"
        if stream.lex().kind != DO:
            return "while needs do"
        if stream.lex().kind != NAME:
            return "do what?"
        if stream.lex().kind == END:
            return "a loop"
        return "junk after the loop"
    if token.kind == IF:
        if stream.lex().kind != NAME:
            return "if needs a name"
        if stream.lex().kind != THEN:
            return "if needs then"
        if stream.lex().kind != NAME:
            return "then what?"
        return "a condition"
    if token.kind == NAME:
        if stream.lex().kind == SIGN and stream.lex().kind == NUMBER:
            return "an assignment"
        return "a name"
    return "nothing"
