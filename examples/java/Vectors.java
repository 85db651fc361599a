import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;

/** Compares these samples with docs/vectors.json: java Vectors FILE. Names what differs, and ends with 1. */
final class Vectors {
    private static final List<Object> wrong = new ArrayList<>();
    private static int count = 0;

    public static void main(String[] args) throws Exception {
        Map<String, Object> vectors = Json.readObject(Files.readString(Path.of(args[0])));
        Map<String, Object> keys = Json.object(vectors.get("keys"));
        String key = (String) keys.get("merchantKey");
        for (Map<String, Object> one : list(vectors, "md5")) {
            String path = (String) one.get("path");
            Map<String, Object> body = Json.object(one.get("body"));
            check(one, Sign.md5String(path, body), "string");
            check(one, Sign.md5Sign(path, body, key), "sign");
        }
        for (Map<String, Object> one : list(vectors, "rsa")) {
            Map<String, Object> body = Json.object(one.get("body"));
            check(one, RsaSign.rsaString(body), "string");
            check(one, RsaSign.rsaSign(body, (String) keys.get("merchantPrivateKey")), "sign");
        }
        for (Map<String, Object> one : list(vectors, "notifications")) check(one, eventOf(one, keys), "event");
        for (Map<String, Object> one : list(vectors, "unusableKeys"))
            if (!isUnusable(one, keys)) wrong.add(one.get("name"));
        wrong.forEach(System.err::println);
        if (!wrong.isEmpty()) System.exit(1);
        System.out.println(count + " vectors agree");
    }

    private static String eventOf(Map<String, Object> vector, Map<String, Object> keys) throws Exception {
        boolean isRsa = "rsa".equals(vector.get("signedBy")) || "platformPublicKey".equals(vector.get("key"));
        var secrets = new VerifyNotification.Secrets(
            (String) keys.get("merchantKey"),
            isRsa ? (String) keys.get("platformPublicKey") : null,
            (String) keys.get("webhookSecret"));
        byte[] body = ((String) vector.get("body")).getBytes(UTF_8);
        Map<String, Object> headers = Json.object(vector.get("headers"));
        Instant at = Instant.ofEpochSecond((Long) vector.get("at"));
        try {
            return VerifyNotification.verify(body, name -> (String) headers.get(name), secrets, at).event();
        } catch (IllegalArgumentException refused) {
            return null;
        }
    }

    /** True if the program fails because of the key, wherever it uses it. */
    private static boolean isUnusable(Map<String, Object> vector, Map<String, Object> keys) {
        String key = (String) vector.get("key");
        String value = (String) vector.get("value");
        Map<String, Object> given = new HashMap<>(keys);
        given.put(key, value);
        if (key.equals("merchantPrivateKey")) return failure(() -> RsaSign.rsaSign(Map.of(), value)) != null;
        boolean signs = key.equals("merchantKey")
            && !(failure(() -> Sign.md5Sign("/payment", Map.of(), value)) instanceof IllegalStateException);
        return !signs && failure(() -> eventOf(vector, given)) instanceof IllegalStateException;
    }

    private static Exception failure(Callable<?> call) {
        try {
            call.call();
            return null;
        } catch (Exception reason) {
            return reason;
        }
    }

    private static List<Map<String, Object>> list(Map<String, Object> vectors, String name) {
        List<Map<String, Object>> list = ((List<?>) vectors.get(name)).stream().map(Json::object).toList();
        count += list.size();
        return list;
    }

    private static void check(Map<String, Object> vector, Object found, String expected) {
        if (!Objects.equals(found, vector.get(expected))) wrong.add(vector.get("name"));
    }
}
