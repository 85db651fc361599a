// The style sheets and scripts of the pages, read and compressed once. A script must match the manifest. Browsers revalidate
// them on every load, so a page never gets the script of another release, which its integrity hash would block.
import { readFileSync } from 'node:fs'
import type { FastifyReply } from 'fastify'
import { assetsFolder, integrityOf } from './manifest.ts'
import { sendStored, storeText } from './stored-text.ts'

const types = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' } as const

export const ASSET_HEADERS = { 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' } as const

/** Sends one of the files in assets/. `headers` are those that differ. */
export function loadAsset(
  name: string,
  kind: keyof typeof types,
  headers: Readonly<Record<string, string>> = {},
): (reply: FastifyReply) => FastifyReply {
  if (kind === 'js') integrityOf(`${name}.js`)
  const stored = storeText(types[kind], readFileSync(new URL(`${name}.${kind}`, assetsFolder)))
  return (reply) => sendStored(reply, stored, { ...ASSET_HEADERS, ...headers })
}
