import java.util.Map;
import java.util.Objects;

/** Pays out to a Pix key. Prints your number, the gateway's number and payCode: 0 paid, 1 failed, 2 pending. */
final class Payout {
    public static void main(String[] args) throws Exception {
        // In live, /payout accepts MD5 only from addresses on the merchant's list. Otherwise sign it with RSA.
        Map<String, Object> payout = Tollgate.call("/payout", Map.of(
            "merOrderNo", "payout-" + System.currentTimeMillis(),
            "currencyCode", "BRL",
            "sourceAmount", "5.00",
            "withdrawType", "4", // Pix
            "cardNo", "12ABC34501DE35", // the Pix key
            "benFirstName", "Example",
            "benLastName", "Payee",
            "notifyUrl", Objects.requireNonNullElse(System.getenv("TOLLGATE_NOTIFY_URL"), "")));

        System.out.println(payout.get("merOrderNo") + " " + payout.get("tradeNo") + " " + payout.get("payCode"));
    }
}
