import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;

/** Signs a request with RSA: SHA256withRSA (PKCS#1 v1.5, base64) over every field that has a value, except `sign`. */
final class RsaSign {
    static String rsaString(Map<String, ?> body) {
        // The escaped form: nothing that a payer types can be read as another field.
        StringJoiner fields = new StringJoiner("&", "escaped&", "");
        new TreeMap<>(body).forEach((name, value) -> {
            if (name.equals("sign") || value == null || value.equals("")) return;
            // Json.write sorts keys at every level and writes no white space.
            String text = value instanceof String string ? string : Json.write(value);
            fields.add(name + "=" + text.replace("%", "%25").replace("&", "%26"));
        });
        return fields.toString();
    }

    static String rsaSign(Map<String, ?> body, String privateKey) throws GeneralSecurityException {
        Signature signature = Signature.getInstance("SHA256withRSA");
        signature.initSign(keyOf(privateKey));
        signature.update(rsaString(body).getBytes(UTF_8));
        return Base64.getEncoder().encodeToString(signature.sign());
    }

    /** PEM in PKCS#8: it begins with "BEGIN PRIVATE KEY". */
    private static PrivateKey keyOf(String pem) throws GeneralSecurityException {
        byte[] der = Base64.getMimeDecoder().decode(pem.replaceAll("-----[^-]+-----", ""));
        return KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(der));
    }

    public static void main(String[] args) throws Exception {
        Map<String, Object> payment = Map.of(
            "merNo", Long.valueOf(System.getenv("TOLLGATE_MERNO")),
            "merOrderNo", "order-1",
            "currencyCode", "USD",
            "sourceAmount", "12.34",
            "returnUrl", "https://shop.example/thanks?a=1&b=2",
            "productInfoList", List.of(
                Map.of("sku", "A-1", "productName", "Scarf", "price", "12.34", "quantity", "1")));
        System.out.println(rsaString(payment));
        // Send this as `sign`.
        System.out.println(rsaSign(payment, Files.readString(Path.of(System.getenv("TOLLGATE_PRIVATE_KEY")))));
    }
}
