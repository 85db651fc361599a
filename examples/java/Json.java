import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;

/** As much JSON as these samples need, because the JDK has none. In a shop, use the library that it already has. */
final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /** Keys sorted at every level, no white space. */
    static String write(Object value) {
        if (value instanceof Map<?, ?> map) {
            StringJoiner members = new StringJoiner(",", "{", "}");
            new TreeMap<Object, Object>(map).forEach((name, member) ->
                members.add(quoted(name.toString()) + ":" + write(member)));
            return members.toString();
        }
        if (value instanceof List<?> list) {
            StringJoiner elements = new StringJoiner(",", "[", "]");
            list.forEach(element -> elements.add(write(element)));
            return elements.toString();
        }
        return value instanceof String string ? quoted(string) : String.valueOf(value);
    }

    private static String quoted(String string) {
        StringBuilder out = new StringBuilder("\"");
        for (char c : string.toCharArray()) {
            if (c == '"' || c == '\\') out.append('\\').append(c);
            else if (c < ' ') out.append(String.format("\\u%04x", (int) c));
            else out.append(c);
        }
        return out.append('"').toString();
    }

    /** Objects are maps, lists are lists, whole numbers are Long. Throws an IllegalArgumentException. */
    static Map<String, Object> readObject(String text) {
        Json json = new Json(text);
        Object value = json.value();
        if (json.next() != 0) throw json.wrong();
        return object(value);
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> object(Object value) {
        if (value instanceof Map<?, ?> map) return (Map<String, Object>) map;
        throw new IllegalArgumentException("not a JSON object");
    }

    private Object value() {
        char first = next();
        if (first == '{') return members();
        if (first == '[') return elements();
        if (first == '"') return string();
        int start = at;
        while (Character.isLetterOrDigit(peek()) || peek() == '-' || peek() == '+' || peek() == '.') at++;
        String word = text.substring(start, at);
        return switch (word) {
            case "true" -> true;
            case "false" -> false;
            case "null" -> null;
            default -> word.matches("-?\\d{1,18}") ? (Object) Long.valueOf(word) : Double.valueOf(word);
        };
    }

    private Map<String, Object> members() {
        Map<String, Object> map = new LinkedHashMap<>();
        at++;
        if (skip('}')) return map;
        do {
            if (next() != '"') throw wrong();
            String name = string();
            if (!skip(':')) throw wrong();
            map.put(name, value());
        } while (skip(','));
        if (!skip('}')) throw wrong();
        return map;
    }

    private List<Object> elements() {
        List<Object> list = new ArrayList<>();
        at++;
        if (skip(']')) return list;
        do list.add(value());
        while (skip(','));
        if (!skip(']')) throw wrong();
        return list;
    }

    private String string() {
        StringBuilder out = new StringBuilder();
        for (at++; peek() != '"'; at++) {
            if (at >= text.length()) throw wrong();
            out.append(peek() == '\\' ? escape() : peek());
        }
        at++;
        return out.toString();
    }

    private char escape() {
        at++;
        int known = "bfnrt".indexOf(peek());
        if (known >= 0) return "\b\f\n\r\t".charAt(known);
        if (peek() != 'u') return peek();
        if (at + 5 > text.length()) throw wrong();
        at += 4;
        return (char) Integer.parseInt(text.substring(at - 3, at + 1), 16);
    }

    private boolean skip(char wanted) {
        if (next() != wanted) return false;
        at++;
        return true;
    }

    /** The next character that is not white space; 0 at the end. */
    private char next() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) at++;
        return peek();
    }

    private char peek() {
        return at < text.length() ? text.charAt(at) : 0;
    }

    private IllegalArgumentException wrong() {
        return new IllegalArgumentException("not JSON at character " + at);
    }
}
