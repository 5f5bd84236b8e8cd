# bfcheck as an image, for a provider on this machine:
#   docker build --tag bfcheck .
#   docker run --rm --network host -v "$PWD:/work" bfcheck --target localhost:9000
FROM node:22-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && npm pack --ignore-scripts --pack-destination /tmp

FROM node:22-slim
COPY --from=build /tmp/bfcheck-*.tgz /tmp/bfcheck.tgz
RUN npm install --global --omit=dev /tmp/bfcheck.tgz && npm cache clean --force && rm /tmp/bfcheck.tgz
# Reports and counterexamples are written here: mount a folder that user 1000 may write to.
RUN install --directory --owner=node --group=node /work
USER node
WORKDIR /work
ENTRYPOINT ["bfcheck"]
CMD ["--help"]
