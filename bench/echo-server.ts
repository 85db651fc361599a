// A Fastify server alone with the same bodies: it parses the JSON and sends it back.
import fastify from 'fastify'

const app = fastify({ logger: false })
app.post('/payment', async (request) => request.body)
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
console.log('ready')
process.once('SIGTERM', () => process.exit(0))
