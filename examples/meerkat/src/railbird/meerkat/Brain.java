package railbird.meerkat;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** A session with an agent in a brain; one that was lost is opened again. */
final class Brain {
    private static final String SCHEMA = "railbird.brain/1";

    private final String url;
    private final String agent;
    private final Duration patience;
    private final HttpClient http;

    private String session;
    private Map<String, Object> match;
    private boolean everOpen;
    private boolean listens;
    private boolean learns;

    Brain(String url, String agent, double seconds) {
        this.url = url.replaceAll("/+$", "");
        this.agent = agent;
        this.patience = Duration.ofMillis(Math.max(1, Math.round(seconds * 1000)));
        this.http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(patience).build();
    }

    /** Whether there is an agent that wants to hear what happens before it must decide. */
    boolean listens() {
        return session != null && listens;
    }

    /** Whether there is an agent that wants the results of hands. */
    boolean wantsEndings() {
        return session != null && (listens || learns);
    }

    /** The agent's decision in a view of a match. */
    Map<String, Object> decide(Map<String, Object> match, Map<String, Object> view) throws Fault {
        try {
            return tell(match, "decisions", Map.of("view", view));
        } catch (Fault fault) {
            if (!fault.lostSession) {
                throw fault;
            }
            return tell(match, "decisions", Map.of("view", view));
        }
    }

    /** Send a view (`views`) or the end of a hand (`endings`). */
    Map<String, Object> tell(Map<String, Object> match, String what, Map<String, Object> message) throws Fault {
        begin(match);
        return ask("POST", session + "/" + what, message, patience);
    }

    /** Close the session, if that is quickly done; an unused one is closed by the brain after a while. */
    void close() {
        if (session != null) {
            try {
                ask("DELETE", session, null, Duration.ofMillis(500));
            } catch (Fault gone) {
                // there is nothing to close
            }
            session = null;
        }
    }

    private void begin(Map<String, Object> wanted) throws Fault {
        if (session != null && wanted.equals(match)) {
            return;
        }
        Map<String, Object> opening = new LinkedHashMap<>(wanted);
        Map<String, Object> begun;
        if (session != null) {
            begun = ask("POST", session + "/matches", opening, patience);
        } else {
            opening.put("schema", SCHEMA);
            opening.put("agent", agent);
            opening.put("is_reset", everOpen);
            begun = ask("POST", "/sessions", opening, patience);
            if (!SCHEMA.equals(begun.get("schema")) || !(begun.get("session") instanceof String)) {
                throw new Fault("the server at " + url + " is not a brain of this version");
            }
            session = "/sessions/" + begun.get("session");
        }
        everOpen = true;
        match = wanted;
        listens = Boolean.TRUE.equals(begun.get("listens"));
        learns = Boolean.TRUE.equals(begun.get("learns"));
    }

    private Map<String, Object> ask(String method, String path, Object message, Duration limit) throws Fault {
        boolean inSession = session != null;
        HttpResponse<String> response;
        try {
            HttpRequest.BodyPublisher body = message == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(Json.write(message), StandardCharsets.UTF_8);
            HttpRequest request = HttpRequest.newBuilder(URI.create(url + path)).timeout(limit)
                    .header("Content-Type", "application/json").method(method, body).build();
            response = http.send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
        } catch (IllegalArgumentException invalid) {
            throw new Fault("'" + url + "' is not the address of a brain: write it as `railbird brain` prints it, "
                    + "such as http://127.0.0.1:8000");
        } catch (ConnectException refused) {
            session = null;
            throw new Fault("no brain is running at " + url + ": start one with `railbird brain`");
        } catch (HttpTimeoutException late) {
            session = null;
            throw new Fault("the brain at " + url + " did not answer within " + limit.toMillis() / 1000.0 + " s");
        } catch (IOException broken) {
            session = null;
            throw new Fault("connection to the brain at " + url + " failed: " + broken.getMessage(), inSession);
        } catch (InterruptedException interrupted) {
            session = null;
            Thread.currentThread().interrupt();
            throw new Fault("the question to the brain at " + url + " was interrupted");
        }
        return checked(response);
    }

    private Map<String, Object> checked(HttpResponse<String> response) throws Fault {
        Object data = null;
        try {
            data = Json.read(response.body());
        } catch (Fault notJson) {
            // reported below, like all other answers that no brain gives
        }
        if (!(data instanceof Map)) {
            throw new Fault("the server at " + url + " is not a brain of this version");
        }
        @SuppressWarnings("unchecked")
        Map<String, Object> answer = (Map<String, Object>) data;
        if (response.statusCode() < 300) {
            return answer;
        }
        boolean lost = "no-session".equals(answer.get("code"));
        if (lost) {
            session = null;
        }
        throw new Fault("the brain at " + url + " refused: " + answer.get("error"), lost);
    }
}
