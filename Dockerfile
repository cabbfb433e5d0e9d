# The server with its built screens. Data is in /data; docs/operating.md has the settings.
#   docker build -t park-reports .
#   docker run -p 3000:3000 -v park-reports:/data park-reports
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build && npm prune --omit=dev

FROM node:24-bookworm-slim
# pg_dump and psql, for backups of PostgreSQL. For a server newer than 15, install its own client.
RUN apt-get update \
 && apt-get install -y --no-install-recommends postgresql-client \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/src/server ./src/server
COPY --from=build /app/src/shared ./src/shared
RUN install -d -o node -g node /data
ENV NODE_ENV=production DATA_DIR=/data MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072 MALLOC_TRIM_THRESHOLD_=131072 UV_THREADPOOL_SIZE=8
USER node
VOLUME /data
EXPOSE 3000
# The server stops within 10 seconds of SIGTERM.
STOPSIGNAL SIGTERM
HEALTHCHECK --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/healthz').then(({ ok }) => process.exit(ok ? 0 : 1))"]
# The same options as in scripts/serving.json.
CMD ["node", "--max-semi-space-size=8", "--heap-growing-percent=100", "src/server/main.ts"]
