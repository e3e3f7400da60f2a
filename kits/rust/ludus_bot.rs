//! Speak the wire protocol of Ludus: one JSON object a line, questions on stdin, answers on stdout.

use std::io::{stdin, stdout, BufRead, Write};
use std::iter::Peekable;
use std::ops::Index;
use std::str::Chars;

/// A bot: `choose` returns one of the legal actions (`Json::Text`), or a `Json::List` of them for a whole turn.
/// `game` is the hello message of this game; `game["act"]` is the message that asks, with the clock.
pub trait Bot {
    fn start(&mut self, _game: &Json) {}
    fn choose(&mut self, game: &Json, view: &Json, legal: &[String]) -> Json;
}

/// Play until stdin closes.
pub fn run(name: &str, bot: &mut dyn Bot) {
    let mut game = Json::Null;
    for line in stdin().lock().lines().map_while(Result::ok) {
        let message = Json::read(&line).unwrap_or(Json::Null);
        let answer = match message["type"].text() {
            "hello" => {
                game = message;
                bot.start(&game);
                format!(r#"{{"type":"ready","name":{},"version":"1"}}"#, Json::Text(name.to_string()).write())
            }
            "act" => {
                let legal: Vec<String> = message["legal"].list().iter().map(|name| name.text().to_string()).collect();
                if let Json::Object(pairs) = &mut game {
                    pairs.retain(|(key, _)| key != "act");
                    pairs.push(("act".to_string(), message));
                }
                let chosen = bot.choose(&game, &game["act"]["view"], &legal);
                let key = if matches!(chosen, Json::List(_)) { "actions" } else { "action" };
                format!(r#"{{"{key}":{}}}"#, chosen.write())
            }
            _ => continue, // every other message, end among them, is news that needs no answer
        };
        let mut out = stdout().lock();
        if writeln!(out, "{answer}").and_then(|_| out.flush()).is_err() {
            return; // nobody listens any more
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

/// `value["key"]` is Null where there is no such key.
impl Index<&str> for Json {
    type Output = Json;
    fn index(&self, key: &str) -> &Json {
        let pairs = if let Json::Object(pairs) = self { &pairs[..] } else { &[] };
        pairs.iter().find(|(name, _)| name == key).map_or(&Json::Null, |(_, value)| value)
    }
}

impl Json {
    pub fn text(&self) -> &str { if let Json::Text(text) = self { text } else { "" } }
    pub fn number(&self) -> f64 { if let Json::Number(number) = self { *number } else { 0.0 } }
    pub fn list(&self) -> &[Json] { if let Json::List(items) = self { items } else { &[] } }

    pub fn write(&self) -> String {
        match self {
            Json::Number(value) => value.to_string(),
            Json::Text(text) => format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")),
            Json::List(items) => format!("[{}]", items.iter().map(Json::write).collect::<Vec<_>>().join(",")),
            _ => "null".to_string(), // an answer needs nothing else
        }
    }

    /// Read a line; None if it is no JSON.
    pub fn read(line: &str) -> Option<Json> {
        Reader(line.chars().peekable()).value()
    }
}

struct Reader<'a>(Peekable<Chars<'a>>);

impl Reader<'_> {
    fn value(&mut self) -> Option<Json> {
        match self.peek()? {
            '"' => self.text().map(Json::Text),
            '[' => self.items(']', Self::value).map(Json::List),
            '{' => self.items('}', Self::pair).map(Json::Object),
            _ => self.word(),
        }
    }

    /// Return the next sign that is no blank.
    fn peek(&mut self) -> Option<char> {
        while self.0.next_if(|sign| sign.is_whitespace()).is_some() {}
        self.0.peek().copied()
    }

    fn items<T>(&mut self, end: char, item: fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let mut found = Vec::new();
        self.0.next();
        while self.peek()? != end {
            found.push(item(self)?);
            self.peek()?;
            self.0.next_if_eq(&',');
        }
        self.0.next();
        Some(found)
    }

    fn pair(&mut self) -> Option<(String, Json)> {
        let key = self.text()?;
        self.peek()?;
        self.0.next_if_eq(&':')?;
        Some((key, self.value()?))
    }

    fn word(&mut self) -> Option<Json> {
        let mut word = String::new();
        while let Some(sign) = self.0.next_if(|sign| sign.is_alphanumeric() || "+-.".contains(*sign)) {
            word.push(sign);
        }
        match &word[..] {
            "null" => Some(Json::Null),
            "true" | "false" => Some(Json::Bool(word == "true")),
            number => number.parse().ok().map(Json::Number),
        }
    }

    fn text(&mut self) -> Option<String> {
        let mut units = Vec::new(); // of UTF-16, as \u gives them
        self.0.next_if_eq(&'"')?;
        loop {
            match (self.0.next()?, self.0.peek()) {
                ('"', _) => return Some(String::from_utf16_lossy(&units)),
                ('\\', Some('u')) => {
                    let digits: String = self.0.by_ref().skip(1).take(4).collect();
                    units.push(u16::from_str_radix(&digits, 16).ok()?);
                }
                ('\\', _) => units.push(match self.0.next()? { 'n' => 10, 't' => 9, 'r' => 13, 'b' => 8, 'f' => 12, sign => sign as u16 }),
                (sign, _) => units.extend(sign.encode_utf16(&mut [0; 2]).iter()),
            }
        }
    }
}
