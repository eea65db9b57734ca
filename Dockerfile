# covtool in a container, by a user who is not root:
#
#   docker build -t covtool .
#   docker run --rm --user "$(id -u)" -v "$PWD:/work" covtool report openapi.yaml traffic.json
#
# The program needs nothing but the C library; a shell is there because build servers want one.
FROM node:22-bookworm-slim AS build
WORKDIR /source
COPY deno.json deno.lock cli.ts mod.ts ./
COPY scripts scripts
COPY src src
RUN npx -y deno@2.9.6 task build

FROM debian:bookworm-slim
COPY --from=build /source/dist/covtool /usr/local/bin/covtool
RUN useradd --create-home --uid 1000 covtool && mkdir /work && chown covtool /work
USER 1000
WORKDIR /work
# The proxy's port; it is reached from outside with --host 0.0.0.0.
EXPOSE 8080
ENTRYPOINT ["covtool"]
CMD ["--help"]
