// Receives notifications: a shop that always answers SUCCESS.
import { createServer } from 'node:http'

const server = createServer((request, response) => {
  request.resume().once('end', () => response.end('SUCCESS'))
})
server.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('ready'))
process.once('SIGTERM', () => process.exit(0))
