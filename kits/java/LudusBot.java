import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Speaks the wire protocol of Ludus: one JSON object a line, questions on stdin, answers on stdout. */
final class LudusBot {
    /** A bot. The game is its hello message; game.get("act") is the message that asks, with the clock. */
    interface Bot {
        /** Called at each hello. */
        default void start(Map<String, Object> game) {}

        /** Returns one of the legal actions (its text), or a List of them for a whole turn. */
        Object choose(Map<String, Object> game, Map<String, Object> view, List<String> legal);
    }

    /** Plays until stdin closes. */
    @SuppressWarnings("unchecked")
    static void run(String name, Bot bot) throws IOException {
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        System.setOut(System.err); // what a bot prints must not get between the answers
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Map<String, Object> game = new LinkedHashMap<>();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            Map<String, Object> message = (Map<String, Object>) new Reader(line).value();
            if ("hello".equals(message.get("type"))) {
                game = message;
                bot.start(game);
                out.print("{\"type\":\"ready\",\"name\":" + write(name) + ",\"version\":\"1\"}\n");
            } else if ("act".equals(message.get("type"))) {
                game.put("act", message);
                List<String> legal = (List<String>) message.get("legal");
                Object chosen = bot.choose(game, (Map<String, Object>) message.get("view"), legal);
                out.print("{\"" + (chosen instanceof List ? "actions" : "action") + "\":" + write(chosen) + "}\n");
            } // every other message, end among them, is news that needs no answer
            out.flush();
        }
    }

    /** Returns what an answer holds as JSON: a text, a number, or a list. */
    static String write(Object value) {
        if (value instanceof List) {
            List<String> items = new ArrayList<>();
            ((List<?>) value).forEach(item -> items.add(write(item)));
            return "[" + String.join(",", items) + "]";
        }
        if (value instanceof String) {
            return "\"" + ((String) value).replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
        }
        return String.valueOf(value);
    }

    /** Reads JSON: objects are Maps, arrays Lists, numbers Doubles, the rest String, Boolean or null. */
    static final class Reader {
        private final String line;
        private int at;

        Reader(String line) {
            this.line = line;
        }

        Object value() {
            switch (peek()) {
                case '"':
                    return text();
                case '[':
                    List<Object> list = new ArrayList<>();
                    for (take('['); peek() != ']'; separate()) {
                        list.add(value());
                    }
                    take(']');
                    return list;
                case '{':
                    Map<String, Object> map = new LinkedHashMap<>();
                    for (take('{'); peek() != '}'; separate()) {
                        String key = text();
                        take(':');
                        map.put(key, value());
                    }
                    take('}');
                    return map;
                default:
                    return word();
            }
        }

        /** Returns the next sign that is no blank. */
        private char peek() {
            while (Character.isWhitespace(line.charAt(at))) {
                at++;
            }
            return line.charAt(at);
        }

        private void take(char wanted) {
            if (peek() != wanted) {
                throw new IllegalArgumentException("no " + wanted + " at " + at + " of " + line);
            }
            at++;
        }

        private void separate() {
            if (peek() == ',') {
                at++;
            }
        }

        private Object word() {
            int begin = at;
            while (at < line.length() && ",]} \t\r".indexOf(line.charAt(at)) < 0) {
                at++;
            }
            String word = line.substring(begin, at);
            if (word.equals("true") || word.equals("false")) {
                return word.equals("true");
            }
            return word.equals("null") ? null : Double.valueOf(word);
        }

        private String text() {
            StringBuilder text = new StringBuilder();
            take('"');
            for (char sign = line.charAt(at++); sign != '"'; sign = line.charAt(at++)) {
                if (sign != '\\') {
                    text.append(sign);
                } else if (line.charAt(at) == 'u') {
                    text.append((char) Integer.parseInt(line.substring(at + 1, at + 5), 16));
                    at += 5;
                } else {
                    int known = "ntrbf".indexOf(line.charAt(at));
                    text.append(known < 0 ? line.charAt(at) : "\n\t\r\b\f".charAt(known));
                    at++;
                }
            }
            return text.toString();
        }
    }
}
