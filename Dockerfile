# covtool in a container, by a user who is not root:
#
#   docker build -t covtool .
#   docker run --rm --user "$(id -u)" -v "$PWD:/work" covtool report openapi.yaml traffic.json
#
# The program needs nothing but the C library; a shell is there because build servers want one.
FROM --platform=$BUILDPLATFORM node:22-bookworm-slim AS build
ARG TARGETARCH
WORKDIR /source
COPY deno.json deno.lock cli.ts mod.ts ./
COPY scripts scripts
COPY src src
# Deno compiles for other machines as well, which is faster than to play one.
RUN case "$TARGETARCH" in arm64) target=aarch64 ;; *) target=x86_64 ;; esac \
  && npx -y deno@2.9.6 run -A scripts/build.ts --target "$target-unknown-linux-gnu"

FROM debian:bookworm-slim
COPY --from=build /source/dist/covtool /usr/local/bin/covtool
RUN useradd --create-home --uid 1000 covtool && mkdir /work && chown covtool /work
USER 1000
WORKDIR /work
# The proxy's port; it is reached from outside with --host 0.0.0.0.
EXPOSE 8080
ENTRYPOINT ["covtool"]
CMD ["--help"]
