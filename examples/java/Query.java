import java.util.Map;

/** Asks for an order by your number: java Query ORDER. Prints 1 processing, 2 failed or 3 paid. */
final class Query {
    public static void main(String[] args) throws Exception {
        Map<String, Object> order = Tollgate.call("/order/query", Map.of(
            "merOrderNo", args[0],
            "tradeNo", "", // not needed: after a lost answer you do not know it
            "operationType", "query",
            "queryType", "sales"));

        System.out.println(order.get("state"));
    }
}
