// V8's inspector of a process: of the gateway's process over a WebSocket on loopback, or of this process directly.
import { Session } from 'node:inspector/promises'

export type Inspector = {
  post(method: string, params?: object): Promise<unknown>
  close(): void
}

export function inspectSelf(): Inspector {
  const session = new Session()
  session.connect()
  return { post: (method, params = {}) => session.post(method, params), close: () => session.disconnect() }
}

type Waiting = { readonly resolve: (result: unknown) => void; readonly reject: (error: Error) => void }

/** The address is printed by a process that was started with --inspect. */
export async function inspectProcess(url: string): Promise<Inspector> {
  const socket = new WebSocket(url)
  const waiting = new Map<number, Waiting>()
  let count = 0
  socket.addEventListener('message', ({ data }) => {
    const { id, result, error } = JSON.parse(String(data))
    if (error === undefined) waiting.get(id)?.resolve(result)
    else waiting.get(id)?.reject(new Error(error.message))
    waiting.delete(id)
  })
  socket.addEventListener('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('the inspected process has gone'))
    waiting.clear()
  })
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve())
    socket.addEventListener('error', () => reject(new Error(`no inspector answers at ${url}`)))
  })
  return {
    post: (method, params = {}) =>
      new Promise((resolve, reject) => {
        const id = ++count
        waiting.set(id, { resolve, reject })
        socket.send(JSON.stringify({ id, method, params }))
      }),
    close: () => socket.close(),
  }
}
