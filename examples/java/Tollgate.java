import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** Signs and sends a request, and returns the `data` of the answer. */
final class Tollgate {
    /** The gateway refused the request; the message says which field to correct. */
    static final class Refused extends Exception {
        Refused(String message) {
            super(message);
        }
    }

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    static Map<String, Object> call(String path, Map<String, ?> fields) throws Exception {
        Map<String, Object> body = new HashMap<>(fields);
        body.put("merNo", Long.valueOf(System.getenv("TOLLGATE_MERNO")));
        body.put("version", "V3.0.0");
        body.put("sign", Sign.md5Sign(path, body, System.getenv("TOLLGATE_KEY")));
        HttpRequest request = HttpRequest.newBuilder(URI.create(System.getenv("TOLLGATE_URL") + path))
            .timeout(Duration.ofSeconds(60))
            .header("Content-Type", "application/json")
            // Payments and payouts need the website that is registered for the merchant.
            .header("Referer", "https://" + System.getenv("TOLLGATE_SITE") + "/")
            .POST(HttpRequest.BodyPublishers.ofString(Json.write(body)))
            .build();
        Map<String, Object> answer = Json.readObject(CLIENT.send(request, BodyHandlers.ofString()).body());
        if (!"00000".equals(answer.get("code"))) throw new Refused(answer.get("code") + " " + answer.get("message"));
        return Json.object(answer.get("data"));
    }
}
