# bfcheck as an image: docker run --rm -v "$PWD:/work" bfcheck --target host.docker.internal:9000
FROM node:22-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && npm pack --ignore-scripts --pack-destination /tmp

FROM node:22-slim
COPY --from=build /tmp/bfcheck-*.tgz /tmp/bfcheck.tgz
RUN npm install --global --omit=dev /tmp/bfcheck.tgz && npm cache clean --force && rm /tmp/bfcheck.tgz
USER node
# Reports and counterexamples are written here: mount a folder that user 1000 may write to.
WORKDIR /work
ENTRYPOINT ["bfcheck"]
CMD ["--help"]
