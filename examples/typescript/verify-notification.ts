// Receives notifications: node verify-notification.ts PORT. The handler verifies the raw body, then answers SUCCESS.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { notificationHandlers } from '@tollgate/sdk'

const { TOLLGATE_KEY = '', TOLLGATE_PLATFORM_KEY, TOLLGATE_WEBHOOK_SECRET } = process.env

// Merchants with an RSA key give the gateway's key, from /keys/platform.pem.
const secrets = {
  ...(TOLLGATE_PLATFORM_KEY === undefined
    ? { key: TOLLGATE_KEY }
    : { platformKey: readFileSync(TOLLGATE_PLATFORM_KEY, 'utf8') }),
  ...(TOLLGATE_WEBHOOK_SECRET !== undefined && { webhookSecret: TOLLGATE_WEBHOOK_SECRET }),
}

// Throws if a secret is empty or too short: anybody can sign with an empty key. Also for Express, Fastify, Hono and Next: handlers.express and so on, before any body parser.
const handlers = notificationHandlers(secrets, async ({ event, status, data }) => {
  // Store the result under its id before this function ends: deliveries may repeat.
  console.log(event, data.tradeNo, status)
})

createServer(handlers.node).listen(Number(process.argv[2]), '127.0.0.1')
