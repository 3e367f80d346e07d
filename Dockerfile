# One image for all roles. ROLE is api, worker, migrate or all.
FROM node:24.18.0-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d AS build
WORKDIR /app
# The build does not need browsers.
ENV PUPPETEER_SKIP_DOWNLOAD=1 PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1
COPY package.json package-lock.json .npmrc ./
COPY backend/package.json backend/
COPY frontend/package.json frontend/
COPY sandbox/package.json sandbox/
RUN npm ci --loglevel=error
COPY . .
RUN npm run build -w backend && npm run build -w frontend

# Profile demo of docker-compose.yml: the product with the sandbox, the sign-in emulator and the tools that create demo data.
FROM build AS demo
ENV NODE_ENV=production STATIC_DIR=/app/frontend/dist
# A new volume gets this mode. The containers run as the owner of the secret files, whose id is not known here.
RUN mkdir -m 1777 /data
USER node
CMD ["node", "backend/dist/src/main.js"]

FROM node:24.18.0-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY backend/package.json backend/
COPY frontend/package.json frontend/
COPY sandbox/package.json sandbox/
# The backend's packages, and the Prisma CLI with its engine for ROLE=migrate. In a workspace: for the root they are packages of development,
# which npm would omit, and it would add those of all other workspaces.
RUN npm ci --omit=dev --workspace backend --loglevel=error \
 && npm install --no-save --omit=dev --workspace backend --loglevel=error \
      "prisma@$(node -p "require('./package.json').devDependencies.prisma")" \
      "@prisma/schema-engine-wasm@$(node -p "require('./package.json').devDependencies['@prisma/schema-engine-wasm']")" \
      "@prisma/driver-adapter-utils@$(node -p "require('./package.json').devDependencies['@prisma/driver-adapter-utils']")"

FROM node:24.18.0-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 STATIC_DIR=/app/frontend/dist
COPY --from=packages /app/package.json ./
COPY --from=packages /app/node_modules node_modules
COPY --from=packages /app/backend backend
COPY --from=build /app/backend/dist backend/dist
COPY --from=build /app/frontend/dist frontend/dist
COPY backend/public backend/public
COPY prisma.config.ts ./
COPY prisma prisma
COPY tools/schema-engine tools/schema-engine
USER node
EXPOSE 3000
CMD ["node", "backend/dist/src/main.js"]
