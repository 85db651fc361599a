import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.X509EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Receives notifications: java VerifyNotification PORT. Verifies the raw body, then answers SUCCESS. */
final class VerifyNotification {
    /** Merchants with an RSA key give the gateway's key, from /keys/platform.pem; all others give their own key. */
    record Secrets(String key, String platformKey, String webhookSecret) {
        private static final String WEBHOOK_SECRET = "whsec_[A-Za-z0-9+/]{16,}={0,2}";
        private static final String PUBLIC_KEY =
            "-----BEGIN PUBLIC KEY-----[\\sA-Za-z0-9+/=]{16,}-----END PUBLIC KEY-----\\s*";

        /** Null is a secret that is not used. An empty one is an error: anybody can sign with it. */
        Secrets {
            if (webhookSecret != null) Sign.checkKey("TOLLGATE_WEBHOOK_SECRET", webhookSecret, WEBHOOK_SECRET);
            if (platformKey != null) Sign.checkKey("TOLLGATE_PLATFORM_KEY", platformKey, PUBLIC_KEY);
            else Sign.checkKey("TOLLGATE_KEY", key, Sign.KEY);
        }
    }

    record Notification(String event, Map<String, Object> fields) {}

    /** Throws an IllegalArgumentException if the gateway did not send it. */
    static Notification verify(byte[] body, UnaryOperator<String> header, Secrets secrets, Instant now)
            throws GeneralSecurityException {
        if (secrets.webhookSecret() != null) checkHeaders(body, header, secrets.webhookSecret(), now);
        String text = new String(body, UTF_8);
        boolean isJson = text.startsWith("{");
        Map<String, Object> fields = isJson ? Json.readObject(text) : form(text);
        List<String> events = isJson ? List.of("refund", "chargeback") : List.of("payment", "payout", "review");
        // The body does not name its event. The signed string does: the event that fits is the one.
        for (String event : events) {
            String sign = String.valueOf(fields.get("sign"));
            if (isSigned(signedString(event, fields), sign, secrets)) return new Notification(event, fields);
        }
        throw new IllegalArgumentException("sign does not match");
    }

    private static Map<String, Object> form(String text) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (String pair : text.split("&")) {
            String[] parts = pair.split("=", 2);
            String value = parts.length == 2 ? parts[1] : "";
            fields.put(URLDecoder.decode(parts[0], UTF_8), URLDecoder.decode(value, UTF_8));
        }
        return fields;
    }

    private static String signedString(String event, Map<String, Object> fields) {
        StringJoiner text = new StringJoiner("&", "event=" + event + "&", "");
        new TreeMap<>(fields).forEach((name, value) -> {
            if (!name.equals("sign") && value != null && !value.equals("")) text.add(name + "=" + value);
        });
        return text.toString();
    }

    private static boolean isSigned(String text, String sign, Secrets secrets) throws GeneralSecurityException {
        if (secrets.platformKey() != null) return isSignedByRsa(text, sign, secrets.platformKey());
        byte[] digest = MessageDigest.getInstance("MD5").digest((text + secrets.key()).getBytes(UTF_8));
        return isEqual(HexFormat.of().withUpperCase().formatHex(digest), sign);
    }

    private static boolean isSignedByRsa(String text, String sign, String pem) throws GeneralSecurityException {
        byte[] der = Base64.getMimeDecoder().decode(pem.replaceAll("-----[^-]+-----", ""));
        PublicKey key = KeyFactory.getInstance("RSA").generatePublic(new X509EncodedKeySpec(der));
        Signature signature = Signature.getInstance("SHA256withRSA");
        signature.initVerify(key);
        signature.update(text.getBytes(UTF_8));
        try {
            return signature.verify(Base64.getDecoder().decode(sign));
        } catch (SignatureException ofAnotherLength) {
            return false;
        }
    }

    /** The headers of Standard Webhooks: a stranger cannot repeat an old request. */
    private static void checkHeaders(byte[] body, UnaryOperator<String> header, String secret, Instant now)
            throws GeneralSecurityException {
        String timestamp = header.apply("webhook-timestamp");
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.replaceFirst("^whsec_", "")), "HmacSHA256"));
        mac.update((header.apply("webhook-id") + "." + timestamp + ".").getBytes(UTF_8));
        String expected = "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
        String given = String.valueOf(header.apply("webhook-signature"));
        if (List.of(given.split(" ")).stream().noneMatch(one -> isEqual(expected, one)))
            throw new IllegalArgumentException("webhook-signature does not match");
        if (Math.abs(now.getEpochSecond() - Long.parseLong(timestamp)) > 300)
            throw new IllegalArgumentException("webhook-timestamp is not of the last five minutes");
    }

    /** In constant time. */
    private static boolean isEqual(String one, String other) {
        return MessageDigest.isEqual(one.getBytes(UTF_8), other.getBytes(UTF_8));
    }

    public static void main(String[] args) throws Exception {
        String platformKey = System.getenv("TOLLGATE_PLATFORM_KEY");
        Secrets secrets = new Secrets(
            System.getenv("TOLLGATE_KEY"),
            platformKey == null ? null : Files.readString(Path.of(platformKey)),
            System.getenv("TOLLGATE_WEBHOOK_SECRET"));
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0])), 0);
        server.createContext("/", exchange -> receive(exchange, secrets));
        server.start();
    }

    private static void receive(HttpExchange exchange, Secrets secrets) throws IOException {
        byte[] body = exchange.getRequestBody().readNBytes(65_536);
        try {
            Notification one = verify(body, exchange.getRequestHeaders()::getFirst, secrets, Instant.now());
            Map<String, Object> fields = one.fields();
            // Store the result under its webhook-id before you answer: deliveries may repeat.
            Object result = fields.getOrDefault("code", fields.get("state"));
            System.out.println(one.event() + " " + fields.get("tradeNo") + " " + result);
            answer(exchange, 200, "SUCCESS");
        } catch (IllegalArgumentException | GeneralSecurityException reason) {
            answer(exchange, 400, String.valueOf(reason.getMessage()));
        }
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] bytes = text.getBytes(UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        try (var out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }
}
