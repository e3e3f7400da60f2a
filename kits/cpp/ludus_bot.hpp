// Speak the wire protocol of Ludus: one JSON object a line, questions on stdin, answers on stdout. Needs C++17.
#pragma once

#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace ludus {

// A JSON value. value["key"] is null where there is no such key; a number, a text or a list is empty where it is none.
struct Json {
    enum Kind { null, number, text, list, object } kind = null;
    double num = 0;  // true is 1, false is 0
    std::string str;
    std::vector<Json> items;
    std::map<std::string, Json> pairs;

    Json() = default;
    Json(const std::string& value) : kind(text), str(value) {}
    Json(double value) : kind(number), num(value) {}
    Json(std::vector<Json> values) : kind(list), items(std::move(values)) {}

    const Json& operator[](const std::string& key) const {
        static const Json none;
        const auto found = pairs.find(key);
        return found == pairs.end() ? none : found->second;
    }

    // Write what an answer holds: a text, a whole number, or a list of them.
    std::string write() const {
        if (kind == number) return std::to_string((long long)num);
        std::string out;
        for (const Json& item : items) out += (out.empty() ? "" : ",") + item.write();
        if (kind == list) return "[" + out + "]";
        for (const char sign : str) out += (sign == '"' || sign == '\\') ? std::string{'\\', sign} : std::string{sign};
        return '"' + out + '"';
    }
};

// Reads a line; what is no JSON ends in an exception.
struct Reader {
    const std::string& line;
    std::size_t at = 0;

    Json value() {
        const char first = peek();
        if (first == '"') return text();
        if (first != '[' && first != '{') return word();
        Json found;
        found.kind = first == '[' ? Json::list : Json::object;
        if (first == '[') {
            for (take('['); peek() != ']'; at += peek() == ',') found.items.push_back(value());
        } else {
            for (take('{'); peek() != '}'; at += peek() == ',') {
                const std::string key = text();
                take(':');
                found.pairs[key] = value();
            }
        }
        take(first == '[' ? ']' : '}');
        return found;
    }

    // Return the next sign that is no blank.
    char peek() {
        at = std::min(line.find_first_not_of(" \t\r", at), line.size());
        return line.at(at);
    }

    void take(char wanted) {
        if (peek() != wanted) throw std::runtime_error(std::string("no ") + wanted + " before " + line.substr(at));
        at++;
    }

    Json word() {
        const std::string word = line.substr(at, line.find_first_of(",]} \t\r", at) - at);
        at += word.size();
        if (word == "null") return {};
        return word == "true" ? 1.0 : word == "false" ? 0.0 : std::stod(word);
    }

    std::string text() {
        static const std::string names = "ntrbf", signs = "\n\t\r\b\f";
        std::string out;
        for (take('"'); line.at(at) != '"'; at++) {
            if (line[at] != '\\') {
                out += line[at];
            } else if (line.at(++at) == 'u') {
                out += sign();
            } else {
                const auto known = names.find(line[at]);
                out += known == std::string::npos ? line[at] : signs[known];
            }
        }
        at++;
        return out;
    }

    // Read the digits after a u; stay on the last one.
    unsigned digits() {
        at += 4;
        return unsigned(std::stoul(line.substr(at - 3, 4), nullptr, 16));
    }

    // Read a sign that was written as \u, or as two of them, and return it as UTF-8.
    std::string sign() {
        unsigned code = digits();
        if (code >= 0xD800 && code < 0xDC00 && line.compare(at + 1, 2, "\\u") == 0) {
            at += 2;
            code = 0x10000 + ((code - 0xD800) << 10) + (digits() - 0xDC00);
        }
        const auto byte = [code](int mark, int shift, int bits) { return char(mark | (code >> shift & bits)); };
        if (code < 0x80) return {char(code)};
        if (code < 0x800) return {byte(0xC0, 6, 31), byte(0x80, 0, 63)};
        if (code < 0x10000) return {byte(0xE0, 12, 15), byte(0x80, 6, 63), byte(0x80, 0, 63)};
        return {byte(0xF0, 18, 7), byte(0x80, 12, 63), byte(0x80, 6, 63), byte(0x80, 0, 63)};
    }
};

// Returns one of the legal actions (its text), or a list of them for a whole turn. `game` is the hello message of this game;
// game["act"] is the message that asks, with the clock.
using Choose = std::function<Json(const Json& game, const Json& view, const std::vector<std::string>& legal)>;

// Play until stdin closes; `start` is called at each hello.
inline void run(const std::string& name, const Choose& choose, const std::function<void(const Json& game)>& start = {}) {
    std::ostream out(std::cout.rdbuf());
    std::cout.rdbuf(std::cerr.rdbuf());  // what a bot prints must not get between the answers
    Json game;
    for (std::string line; std::getline(std::cin, line);) {
        Json message = Reader{line}.value();
        const std::string kind = message["type"].str;
        if (kind == "hello") {
            game = message;
            if (start) start(game);
            out << R"({"type":"ready","name":)" << Json(name).write() << R"(,"version":"1"})" << std::endl;
        } else if (kind == "act") {
            std::vector<std::string> legal;
            for (const Json& action : message["legal"].items) legal.push_back(action.str);
            game.pairs["act"] = std::move(message);
            const Json chosen = choose(game, game["act"]["view"], legal);
            out << (chosen.kind == Json::list ? R"({"actions":)" : R"({"action":)") << chosen.write() << "}" << std::endl;
        }  // every other message, end among them, is news that needs no answer
    }
}
}  // namespace ludus
