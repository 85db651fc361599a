// A single counterparty of the sandbox on its own port.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify from 'fastify'
import type { ChannelEntry, Counterparty, SandboxPlace } from '../../sandbox/place.ts'
import { type Clock, systemClock } from '../../src/platform/base/clock.ts'

export type Mounted<One extends Counterparty> = {
  readonly url: string
  readonly counterparty: One
  /** The counterparty's only entry of a channels file. */
  readonly entry: ChannelEntry
  close(): Promise<void>
}

export type MountedOptions = { readonly clock?: Clock; readonly minuteMs?: number }

export async function openMounted<One extends Counterparty>(
  mount: (place: SandboxPlace) => One,
  { clock = systemClock, minuteMs = 60_000 }: MountedOptions = {},
): Promise<Mounted<One>> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-mounted-'))
  const app = fastify({ forceCloseConnections: true })
  let url = ''
  const place = { app, folder, url: () => url, secret: 'a secret for tests', clock, minuteMs }
  const counterparty = mount(place)
  url = await app.listen({ host: '127.0.0.1', port: 0 })
  const [entry] = counterparty.settings()
  if (entry === undefined) throw new Error('the counterparty has no entry')
  return {
    url,
    counterparty,
    entry,
    async close() {
      await app.close()
      await counterparty.close()
      rmSync(folder, { recursive: true })
    },
  }
}

/** Decides as the payer on a counterparty's page, and returns the parameters of the browser's return, or {}. */
export async function decideOn(
  page: string,
  decision: 'approve' | 'decline',
): Promise<Record<string, string>> {
  const response = await fetch(page, {
    method: 'POST',
    body: new URLSearchParams({ decision }),
    redirect: 'manual',
  })
  const location = response.headers.get('location')
  return location === null ? {} : Object.fromEntries(new URL(location).searchParams)
}
