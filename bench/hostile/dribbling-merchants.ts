// Merchants whose servers respond to notifications in as many pieces as possible, or with endless interim responses.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { call, cardBody } from '../../test/harness/client.ts'
import type { Attack } from './attack.ts'

const SERVERS = 10
const EVERY_MS = 250
const PIECES_PER_TICK = 20

type Dribble = { readonly head: string; readonly piece: string }

const dribbles: readonly Dribble[] = [
  { head: 'HTTP/1.1 200 OK\r\n\r\n', piece: 'S' },
  { head: 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', piece: '1\r\nS\r\n' },
  { head: 'HTTP/1.1 200 OK\r\n', piece: 'x' },
  { head: '', piece: 'HTTP/1.1 102 Processing\r\n\r\n' },
]

export const dribblingMerchants: Attack = async ({ port, shop }) => {
  const server = createServer({ noDelay: true }, (socket) => dribble(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: ownPort } = addressOf(server.address())
  const account = { ...shop, baseUrl: `http://127.0.0.1:${port}` }
  const timer = setInterval(() => {
    // Each server has its own address, so that its responses do not affect another server's lane.
    for (let at = 1; at <= SERVERS; at++) {
      const notifyUrl = `http://127.0.0.${at}:${ownPort}/notify`
      void call(account, '/payment', cardBody(account, { notifyUrl })).catch(() => {})
    }
  }, EVERY_MS)
  return () => {
    clearInterval(timer)
    server.close()
    for (const socket of open) socket.destroy()
  }
}

const open = new Set<Socket>()
let served = 0

function dribble(socket: Socket): void {
  const { head, piece } = dribbles[served++ % dribbles.length] ?? { head: '', piece: '' }
  open.add(socket)
  socket.on('error', () => {})
  socket.once('close', () => open.delete(socket))
  socket.once('data', () => {
    socket.write(head)
    const send = () => {
      if (socket.destroyed) return
      for (let sent = 0; sent < PIECES_PER_TICK; sent++) socket.write(piece)
      setTimeout(send, 1)
    }
    send()
  })
}

function addressOf(address: string | AddressInfo | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new Error('a server on a port has an address')
  return address
}
