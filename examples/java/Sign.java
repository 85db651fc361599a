import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Map.entry;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** Signs a request with MD5: the values of a few fields and the merchant key, with nothing in between. */
final class Sign {
    private static final List<String> ORDER = List.of("merNo", "merOrderNo", "currencyCode", "sourceAmount");

    /** The fields that each endpoint signs, in this order. */
    private static final Map<String, List<String>> SIGNED = Map.ofEntries(
        entry("/payment", ORDER),
        entry("/cashier/checkStand", ORDER),
        entry("/cashier/checkStandPay", ORDER),
        entry("/cashier/checkStandPayment", ORDER),
        entry("/payout", ORDER),
        entry("/order/query", List.of("merNo", "merOrderNo", "tradeNo")),
        entry("/refund/apply", List.of("merNo", "merOrderNo", "amount", "tradeNo", "merRefundNo")),
        entry("/balance/query", List.of("merNo", "version")),
        entry("/order/queryOrderList", List.of("merNo")),
        entry("/order/queryAmount", List.of("merNo")),
        entry("/file/upload", List.of("type", "merNo")),
        entry("/review/submit", List.of("merNo", "tradeNo")));

    static String md5String(String path, Map<String, ?> body) {
        // Values exactly as they are sent; a field that is not sent counts as empty.
        StringBuilder text = new StringBuilder();
        for (String name : SIGNED.get(path)) {
            Object value = body.get(name);
            if (value != null) text.append(value);
        }
        return text.toString();
    }

    static final String KEY = ".{16,}";

    /** Anybody can sign with an empty key, so a key that is missing or short is an error: an IllegalStateException. */
    static void checkKey(String name, String value, String form) {
        if (value == null || !value.matches(form))
            throw new IllegalStateException(name + " is missing or too short, or has another form");
    }

    static String md5Sign(String path, Map<String, ?> body, String key) throws GeneralSecurityException {
        checkKey("TOLLGATE_KEY", key, KEY);
        byte[] text = (md5String(path, body) + key).getBytes(UTF_8);
        return HexFormat.of().withUpperCase().formatHex(MessageDigest.getInstance("MD5").digest(text));
    }

    public static void main(String[] args) throws Exception {
        Map<String, Object> payment = Map.of(
            "merNo", Long.valueOf(System.getenv("TOLLGATE_MERNO")),
            "merOrderNo", "order-1",
            "currencyCode", "USD",
            "sourceAmount", "12.34");
        System.out.println(md5String("/payment", payment) + "<KEY>");
        System.out.println(md5Sign("/payment", payment, System.getenv("TOLLGATE_KEY")));
    }
}
