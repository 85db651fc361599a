import { fastify } from 'fastify'
import { handlers, port, ready } from './handlers.js'

const app = fastify()
app.register(handlers.fastify('/notify'))
await app.listen({ port, host: '127.0.0.1' })
ready()
