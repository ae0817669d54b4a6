// A session with an agent in `railbird brain`: JSON over HTTP (docs/brain.md).
#pragma once

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#ifdef _WIN32
#define NOMINMAX
#include <winsock2.h>
#include <ws2tcpip.h>
#pragma comment(lib, "ws2_32.lib")
#else
#include <netdb.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>
#define closesocket close
typedef int SOCKET;
#define INVALID_SOCKET (-1)
#endif

typedef std::runtime_error Fault;  // why there is no decision: a sentence for the log

const int kSeconds = 60;  // how long a brain may take to answer

inline std::string setting(const char* name, const std::string& usual) {
    const char* value = std::getenv(name);
    return value && *value ? value : usual;
}

// A text in JSON; bytes beyond ASCII, as in names on the screen, are read as Latin-1.
inline std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (unsigned char each : text) {
        char escaped[8];
        std::snprintf(escaped, sizeof escaped, "\\u%04x", each);
        if (each < ' ' || each > '~' || each == '"' || each == '\\') out += escaped;
        else out += static_cast<char>(each);
    }
    return out + "\"";
}

inline std::string list(const std::vector<std::string>& items) {
    std::string out;
    for (const std::string& item : items) out += (out.empty() ? "" : ",") + item;
    return "[" + out + "]";
}

inline std::string list(const std::vector<long long>& amounts) {
    std::vector<std::string> items;
    for (long long amount : amounts) items.push_back(std::to_string(amount));
    return list(items);
}

// The text or number after `"name":` in an answer; a brain writes no spaces there.
inline std::string field(const std::string& answer, const std::string& name) {
    const std::string key = "\"" + name + "\":";
    size_t start = answer.find(key);
    if (start == std::string::npos) return "";
    start += key.size();
    if (answer[start] != '"') return answer.substr(start, answer.find_first_of(",}]", start) - start);
    size_t end = ++start;
    while (end < answer.size() && answer[end] != '"') end += answer[end] == '\\' ? 2 : 1;
    return answer.substr(start, end - start);
}

class Brain {
public:
    void forget() { session_.clear(), game_.clear(); }

    // The answer to a view of a match, whose further fields are given; a session that was lost is opened again.
    std::string decide(const std::string& game, const std::string& match, const std::string& view) {
        const bool was_open = !session_.empty();
        try {
            return ask(game, match, view);
        } catch (const Fault&) {
            if (!was_open || !session_.empty()) throw;
        }
        return ask(game, match, view);
    }

private:
    std::string ask(const std::string& game, const std::string& match, const std::string& view) {
        if (session_.empty() || game != game_) open(game, match);
        return post("/sessions/" + session_ + "/decisions", "{\"view\":" + view + "}");
    }

    void open(const std::string& game, const std::string& match) {
        const std::string seed = setting("RAILBIRD_SEED", ""), stream = setting("RAILBIRD_STREAM", "");
        std::string opening = "{\"game\":" + quoted(game) + "," + match;
        if (!stream.empty()) opening += ",\"stream\":" + quoted(stream);
        else if (!seed.empty()) opening += ",\"seed\":" + quoted(seed);
        if (session_.empty()) {
            opening += ",\"schema\":\"railbird.brain/1\",\"agent\":" + quoted(setting("RAILBIRD_AGENT", "baycarp2")) +
                       ",\"is_reset\":" + (game_.empty() ? "false" : "true");
            session_ = field(post("/sessions", opening + "}"), "session");
        } else {
            post("/sessions/" + session_ + "/matches", opening + "}");
        }
        game_ = game;
    }

    std::string post(const std::string& path, const std::string& message) {
        const std::string url = setting("RAILBIRD_URL", "http://127.0.0.1:8000");
        const size_t colon = url.rfind(':');
        if (url.compare(0, 7, "http://") || colon < 8)
            throw Fault("RAILBIRD_URL is not the address of a brain, such as http://127.0.0.1:8000");
        const std::string host = url.substr(7, colon - 7), port = std::to_string(std::atoi(url.c_str() + colon + 1));
        const std::string answer = exchange(host, port,
            "POST " + path + " HTTP/1.1\r\nHost: " + host + ":" + port + "\r\nConnection: close\r\nContent-Type: "
            "application/json\r\nContent-Length: " + std::to_string(message.size()) + "\r\n\r\n" + message);
        if (answer.compare(0, 7, "HTTP/1."))
            throw Fault("no brain answers at " + url + ": start one with `railbird brain`");
        if (answer[9] == '2') return answer;
        if (field(answer, "code") == "no-session") session_.clear();
        throw Fault("the brain at " + url + " refused: " + field(answer, "error"));
    }

    // What a server answers until it closes the connection; empty if there is none.
    static std::string exchange(const std::string& host, const std::string& port, const std::string& request) {
#ifdef _WIN32
        WSADATA sockets;
        if (WSAStartup(MAKEWORD(2, 2), &sockets)) return "";
#endif
        addrinfo hints = {}, *found = nullptr;
        hints.ai_socktype = SOCK_STREAM;
        if (getaddrinfo(host.c_str(), port.c_str(), &hints, &found)) return "";
        const SOCKET line = socket(found->ai_family, found->ai_socktype, found->ai_protocol);
        std::string answer;
        if (line != INVALID_SOCKET) {
#ifdef _WIN32
            const DWORD patience = kSeconds * 1000;
#else
            const timeval patience = {kSeconds, 0};
#endif
            setsockopt(line, SOL_SOCKET, SO_RCVTIMEO, reinterpret_cast<const char*>(&patience), sizeof patience);
            const int length = static_cast<int>(request.size());
            if (!connect(line, found->ai_addr, static_cast<int>(found->ai_addrlen)) &&
                send(line, request.data(), length, 0) == length) {
                char part[4096];
                for (int got; (got = static_cast<int>(recv(line, part, sizeof part, 0))) > 0;) answer.append(part, got);
            }
            closesocket(line);
        }
        freeaddrinfo(found);
        return answer;
    }

    std::string session_, game_;
};
