// Requests that readers of the documentation try in a sandbox: sent to this gateway over HTTP, like a shop's.
import type { Trying } from '../docs/try-it/try-routes.ts'
import { readDemo } from './demo-file.ts'

const TIMEOUT_MS = 60_000

/** `selfUrl`: where this process serves. */
export function tries({ dataDir, selfUrl }: { readonly dataDir: string; readonly selfUrl: string }): Trying {
  return {
    merchant: () => readDemo(dataDir),
    async send(path, { body, headers, file }) {
      const response = await fetch(selfUrl + path, {
        method: 'POST',
        headers: { ...headers, ...(file === undefined && { 'content-type': 'application/json' }) },
        body: file === undefined ? JSON.stringify(body) : multipart(body, file),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      return { status: response.status, text: await response.text() }
    },
  }
}

function multipart(fields: Readonly<Record<string, unknown>>, file: string): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  form.append('file', new Blob([file]), 'file')
  return form
}
