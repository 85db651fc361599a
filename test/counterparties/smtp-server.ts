// A mail server for tests, which speaks enough SMTP for one client, and keeps the mails that it receives.
import { createServer, type Socket } from 'node:net'

export type ReceivedMail = { readonly from: string; readonly to: readonly string[]; readonly data: string }

export type SmtpServer = {
  readonly url: string
  readonly mails: readonly ReceivedMail[]
  readonly refused: readonly ReceivedMail[]
  /** Refuses the next `count` mails temporarily. */
  refuse(count: number): void
  close(): Promise<void>
}

export async function startSmtpServer(): Promise<SmtpServer> {
  const mails: ReceivedMail[] = []
  const refused: ReceivedMail[] = []
  const sockets = new Set<Socket>()
  let refusals = 0
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    serve(socket, (mail) => {
      if (refusals > 0) {
        refusals--
        refused.push(mail)
        return '451 try again later'
      }
      mails.push(mail)
      return '250 taken'
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    refused,
    refuse(count) {
      refusals = count
    },
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

function serve(socket: Socket, take: (mail: ReceivedMail) => string): void {
  const say = (line: string) => socket.write(`${line}\r\n`)
  let envelope: { from: string; to: string[] } = { from: '', to: [] }
  let data: string[] | undefined
  let rest = ''
  say('220 test')
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\r\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (data !== undefined && line !== '.') data.push(line)
      else if (data !== undefined) {
        say(take({ ...envelope, data: data.join('\n') }))
        data = undefined
        envelope = { from: '', to: [] }
      } else answer(line)
    }
  })

  function answer(line: string): void {
    const [, path = ''] = /<([^>]*)>/.exec(line) ?? []
    const verb = line.slice(0, 4).toUpperCase()
    if (verb === 'MAIL') envelope.from = path
    if (verb === 'RCPT') envelope.to.push(path)
    if (verb === 'DATA') data = []
    say(verb === 'DATA' ? '354 go on' : verb === 'QUIT' ? '221 bye' : '250 ok')
  }
}
