// The speed of redaction, compared with reading without redaction in the same run.
//
// The main figure is `of_unredacted` of the Pipe lines: a stream that is read from a pipe and kept,
// with and without redaction, in turns. The Redact lines show the redactor's own throughput. The
// hostile texts consist of near misses; they show that the work stays linear, not that it is free.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <random>
#include <string>
#include <string_view>
#include <thread>

#include "capture/redactor.h"

namespace {

constexpr std::size_t kChunk = 64 * 1024;
constexpr std::size_t kTotal = 64 * kChunk;

std::string repeated(std::string_view piece) {
  std::string out;
  while (out.size() < kTotal) out += piece;
  out.resize(kTotal);
  return out;
}

std::string log_lines() {
  std::mt19937 random(1);
  std::string out;
  while (out.size() < kTotal) {
    out += "2024-05-17T10:" + std::to_string(random() % 60) + ":03.512Z INFO  [worker-" +
           std::to_string(random() % 16) + "] http.server: GET /api/v1/items/" +
           std::to_string(random()) + " status=200 bytes=" + std::to_string(random() % 9999) +
           " duration=" + std::to_string(random() % 900) + "ms user_agent=\"curl/8.1\"\n";
  }
  out.resize(kTotal);
  return out;
}

std::string source_code() {
  return repeated(
      "static int parse_header(struct parser* self, const char* line, size_t size) {\n"
      "  /* The first word is the key, everything behind the colon its value. */\n"
      "  const char* colon = memchr(line, ':', size);\n"
      "  if (colon == NULL || colon == line) return fail(self, ERROR_SYNTAX, self->position);\n"
      "  for (size_t i = 0; i < self->count; ++i) {\n"
      "    if (self->keys[i].size == (size_t)(colon - line)) self->token = self->keys[i].token;\n"
      "  }\n"
      "  return self->callbacks->on_header(self->context, line, colon - line);\n"
      "}\n\n");
}

std::string base64_text(std::size_t line) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::mt19937 random(2);
  std::string out;
  while (out.size() < kTotal)
    out += out.size() % line == line - 1 ? '\n' : kAlphabet[random() % 64];
  return out;
}

std::string prose_without_newline() {
  return repeated(
      "the quick brown fox jumps over the lazy dog; it has done so before, and nobody minds. ");
}

std::string secrets() {
  return repeated("DB_PASSWORD=hunter2\nAuthorization: Bearer abcdef0123456789\nuser=bob\n");
}

struct Corpus {
  const char* name;
  std::string text;
};

const std::array<Corpus, 20>& corpora() {
  static const std::array<Corpus, 20> all{{
      {"log", log_lines()},
      {"source", source_code()},
      {"base64", base64_text(77)},
      {"base64_one_line", base64_text(kTotal)},
      {"one_line", prose_without_newline()},
      {"secrets", secrets()},
      {"hostile_names", repeated("key=key:token=pass:auth=secret:")},
      {"hostile_lines", repeated("token: the password: is auth: no\n")},
      {"hostile_urls", repeated("a://b:c://d:e/")},
      {"hostile_tokens", repeated("eyJ-ghp_sk-eyJ.sk-AKIA xoxb-")},
      {"hostile_parameters", repeated("?key=a&code=b?auth=aaaa")},
      {"hostile_quotes", repeated("token=\"${ pass='\\\" ")},
      {"hostile_headers", repeated("Authorization: required ")},
      {"hostile_blocks", repeated("-----BEGIN PRIVATE KEY-----\\n \\n ")},
      {"hostile_bearers", repeated("Bearer abcdefghi Basic ")},
      {"coloured",
       repeated(
           "\x1b[32m  PASS\x1b[0m src/\x1b[1mparser.ts\x1b[22m (5 tests) \x1b[2m12 ms\x1b[m\n")},
      {"hostile_sequences", repeated("a\x1b]0;b\x1b[0m\x1b]8;;c\x07\xe2\x80\x8b")},
      {"hostile_key_ends",
       repeated("-----END PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjA\nx=\n")},
      {"hostile_options", repeated("mysql -p mysql -p<x> -p")},
      {"hostile_ports", repeated("h:5432:a:b:$c *:*:a:b:$d ")},
  }};
  return all;
}

void write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(fd, text.data(), text.size());
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

using Clock = std::chrono::steady_clock;

// Reads the text from a pipe and passes every chunk on. A thread fills the pipe, in place of the
// command's process.
template <class Take>
double seconds_through_pipe(const std::string& text, Take take) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) return -1;
  fcntl(ends[0], F_SETPIPE_SZ, 1 << 20);
  std::string buffer(kChunk, '\0');
  const auto begun = Clock::now();
  std::thread writer([&] {
    write_all(ends[1], text);
    close(ends[1]);
  });
  for (ssize_t got = 0; (got = read(ends[0], buffer.data(), buffer.size())) > 0;) {
    take(std::string_view(buffer).substr(0, static_cast<std::size_t>(got)));
  }
  writer.join();
  close(ends[0]);
  return std::chrono::duration<double>(Clock::now() - begun).count();
}

void pipe_text(benchmark::State& state, const std::string& text) {
  double bare = 0;
  double redacted = 0;
  std::string out;
  bawn::Redactor redactor;
  for (auto _ : state) {
    out.clear();
    bare += seconds_through_pipe(text, [&](std::string_view chunk) { out += chunk; });
    out.clear();
    const double took =
        seconds_through_pipe(text, [&](std::string_view chunk) { redactor.feed(chunk, out); });
    redactor.finish(out);
    redacted += took;
    state.SetIterationTime(took);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
  state.counters["of_unredacted"] = bare / redacted;
}

void redact_text(benchmark::State& state, const std::string& text,
                 const std::vector<std::string>& literals) {
  std::string out;
  bawn::Redactor redactor(literals);
  for (auto _ : state) {
    out.clear();
    for (std::size_t at = 0; at < text.size(); at += kChunk) {
      redactor.feed(std::string_view(text).substr(at, kChunk), out);
    }
    redactor.finish(out);
    benchmark::DoNotOptimize(out.data());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}

// Measures one hostile text at several lengths: the work is linear if the bytes per second stay the
// same.
void register_growth(const char* name, const std::string& text,
                     const std::vector<std::string>& literals) {
  for (const std::size_t parts : {16U, 4U, 1U}) {
    const std::string part = text.substr(0, text.size() / parts);
    benchmark::RegisterBenchmark(
        ("Growth/" + std::string(name) + "/" + std::to_string(part.size())).c_str(), redact_text,
        part, literals);
  }
}

}  // namespace

int main(int argc, char** argv) {
  for (const Corpus& corpus : corpora()) {
    benchmark::RegisterBenchmark((std::string("Pipe/") + corpus.name).c_str(), pipe_text,
                                 corpus.text)
        ->UseManualTime();
    benchmark::RegisterBenchmark((std::string("Redact/") + corpus.name).c_str(), redact_text,
                                 corpus.text, std::vector<std::string>{});
  }
  benchmark::RegisterBenchmark(
      "RedactWithLiterals/log", redact_text, corpora()[0].text,
      std::vector<std::string>{"correct horse battery", "s3cr3t-value", "INFO-not-there"});
  const std::string front(8000, 'a');
  register_growth("fronts_of_a_literal", std::string(kTotal, 'a'), {front + "b", front + "c"});
  register_growth("wrapped_fronts", repeated("aaaaaaaaaaaaaaaa\n"), {front + "b"});
  register_growth("sequences", repeated("\x1b[0m\x1b]0;"), {"s3cr3t-value"});
  register_growth("lines_of_a_key", base64_text(65), {});
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
