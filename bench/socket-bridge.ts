// Lets a program that can only use TCP reach a PostgreSQL that only listens on a socket file.
import { connect, createServer } from 'node:net'

const path = process.env.BRIDGE_TO ?? ''
const server = createServer({ noDelay: true }, (client) => {
  const socket = connect({ path })
  client.pipe(socket).pipe(client)
  client.on('error', () => socket.destroy())
  socket.on('error', () => client.destroy())
})
server.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('ready'))
process.once('SIGTERM', () => process.exit(0))
