import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Takes a card payment. Prints its number, the gateway's number and payCode: 0 paid, 1 declined, 2 pending. */
final class Pay {
    public static void main(String[] args) throws Exception {
        Map<String, Object> body = new HashMap<>(Map.of(
            "merOrderNo", "order-" + System.currentTimeMillis(), // your own number, a new one for each order
            "currencyCode", "USD",
            "sourceAmount", "12.34", // a text with two decimals, not a number
            "returnUrl", "https://shop.example/thanks",
            "notifyUrl", Objects.requireNonNullElse(System.getenv("TOLLGATE_NOTIFY_URL"), ""),
            "userAgent", "Mozilla/5.0", // the payer's browser and address
            "ipAddress", "203.0.113.7",
            "productInfoList", List.of(
                Map.of("sku", "A-1", "productName", "Scarf", "price", "12.34", "quantity", "1"))));
        body.putAll(Map.of(
            "cardNo", "4242424242424242",
            "cardExpireMonth", "12",
            "cardExpireYear", "2030",
            "cardSecurityCode", "123"));
        Map<String, String> payer = Map.of(
            "FirstName", "Example",
            "LastName", "Payer",
            "Address1", "1 Example Street",
            "City", "Austin",
            "State", "TX",
            "Country", "US",
            "ZipCode", "78701",
            "Phone", "15125550100",
            "Email", "payer@example.com");
        payer.forEach((name, value) -> body.putAll(Map.of("billing" + name, value, "shipping" + name, value)));

        // If no answer comes, do not pay again: ask for the order by its number (Query.java).
        Map<String, Object> order = Tollgate.call("/payment", body);

        // With payCode 2 and a payUrl, send the payer there: the bank asks for a code.
        System.out.println(order.get("merOrderNo") + " " + order.get("tradeNo") + " " + order.get("payCode"));
    }
}
