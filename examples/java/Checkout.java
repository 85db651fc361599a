import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Opens a page where the payer chooses how to pay, and prints its address. Redirect the payer to it. */
final class Checkout {
    public static void main(String[] args) throws Exception {
        Map<String, Object> order = Tollgate.call("/cashier/checkStandPay", Map.of(
            "merOrderNo", "order-" + System.currentTimeMillis(),
            "currencyCode", "EUR",
            "sourceAmount", "24.00",
            "returnUrl", "https://shop.example/thanks",
            "notifyUrl", Objects.requireNonNullElse(System.getenv("TOLLGATE_NOTIFY_URL"), ""),
            "ipAddress", "203.0.113.7",
            "productInfoList", List.of(
                Map.of("sku", "A-1", "productName", "Scarf", "price", "24.00", "quantity", "1"))));

        System.out.println(order.get("payUrl"));
    }
}
