import java.util.Map;

/** Refunds a payment: java Refund ORDER TRADENO AMOUNT. Prints the number of the refund. */
final class Refund {
    public static void main(String[] args) throws Exception {
        Map<String, Object> refund = Tollgate.call("/refund/apply", Map.of(
            "merOrderNo", args[0],
            "tradeNo", args[1],
            "amount", args[2],
            "operationType", "refund",
            // Your own number of this refund. Store it first: sent twice, it refunds once.
            "merRefundNo", "refund-" + System.currentTimeMillis()));

        // It is accepted. Whether it succeeded is in the notification, and in a query with queryType `refund`.
        System.out.println(refund.get("refundNo"));
    }
}
