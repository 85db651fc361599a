import { createServer } from 'node:http'
import { handlers, port, ready } from './handlers.js'

createServer(handlers.node).listen(port, '127.0.0.1', ready)
