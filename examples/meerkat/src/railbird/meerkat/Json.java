package railbird.meerkat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON as maps, lists, texts, numbers, booleans and null. */
final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    static String write(Object value) {
        StringBuilder out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    private static void write(Object value, StringBuilder out) {
        if (value instanceof Map) {
            String separator = "{";
            for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
                out.append(separator);
                quote(entry.getKey().toString(), out);
                out.append(':');
                write(entry.getValue(), out);
                separator = ",";
            }
            out.append(separator.equals("{") ? "{}" : "}");
        } else if (value instanceof List) {
            String separator = "[";
            for (Object item : (List<?>) value) {
                out.append(separator);
                write(item, out);
                separator = ",";
            }
            out.append(separator.equals("[") ? "[]" : "]");
        } else if (value instanceof String) {
            quote((String) value, out);
        } else {
            out.append(value);
        }
    }

    /** Everything that is not printable ASCII is escaped, so that the encoding of the connection does not matter. */
    private static void quote(String text, StringBuilder out) {
        out.append('"');
        for (char each : text.toCharArray()) {
            if (each == '"' || each == '\\') {
                out.append('\\').append(each);
            } else if (each < ' ' || each > '~') {
                out.append(String.format("\\u%04x", (int) each));
            } else {
                out.append(each);
            }
        }
        out.append('"');
    }

    /** The value that a text describes. */
    static Object read(String text) throws Fault {
        Json json = new Json(text);
        try {
            Object value = json.value();
            json.skipSpace();
            if (json.at == text.length()) {
                return value;
            }
        } catch (IndexOutOfBoundsException | NumberFormatException | StackOverflowError invalid) {
            // reported below, like all other text that is not JSON
        }
        throw new Fault("the answer is not JSON");
    }

    private Object value() throws Fault {
        skipSpace();
        char first = text.charAt(at);
        if (first == '{') {
            return object();
        }
        if (first == '[') {
            return array();
        }
        if (first == '"') {
            return string();
        }
        int start = at;
        while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        String word = text.substring(start, at);
        switch (word) {
            case "true":
                return true;
            case "false":
                return false;
            case "null":
                return null;
            default:
                return word.matches("-?[0-9]{1,18}") ? (Object) Long.valueOf(word) : (Object) Double.valueOf(word);
        }
    }

    private Map<String, Object> object() throws Fault {
        Map<String, Object> fields = new LinkedHashMap<>();
        at++;
        while (!takes('}')) {
            if (!fields.isEmpty()) {
                require(',');
            }
            skipSpace();
            String name = string();
            require(':');
            fields.put(name, value());
        }
        return fields;
    }

    private List<Object> array() throws Fault {
        List<Object> items = new ArrayList<>();
        at++;
        while (!takes(']')) {
            if (!items.isEmpty()) {
                require(',');
            }
            items.add(value());
        }
        return items;
    }

    private String string() throws Fault {
        require('"');
        StringBuilder found = new StringBuilder();
        while (text.charAt(at) != '"') {
            char each = text.charAt(at++);
            if (each == '\\') {
                each = text.charAt(at++);
                int plain = "bfnrt".indexOf(each);
                if (plain >= 0) {
                    each = "\b\f\n\r\t".charAt(plain);
                } else if (each == 'u') {
                    each = (char) Integer.parseInt(text.substring(at, at + 4), 16);
                    at += 4;
                }
            }
            found.append(each);
        }
        at++;
        return found.toString();
    }

    private void skipSpace() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private boolean takes(char wanted) {
        skipSpace();
        if (text.charAt(at) != wanted) {
            return false;
        }
        at++;
        return true;
    }

    private void require(char wanted) throws Fault {
        if (!takes(wanted)) {
            throw new Fault("the answer is not JSON");
        }
    }
}
