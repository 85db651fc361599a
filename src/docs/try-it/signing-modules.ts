// The SDK's own signing code, for browsers: its types are stripped when a module is first asked for. Readers sign with it in
// the form "Try it", so their keys stay with them.
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import type { FastifyInstance } from 'fastify'
import { ASSET_HEADERS } from '../../pages/asset.ts'
import { type StoredText, sendStored, storeText } from '../../pages/stored-text.ts'

/** In sdk/src. They import only each other. */
const modules = ['md5.ts', 'canonical.ts', 'bytes.ts', 'rsa.ts'] as const

/** `folder` contains sdk/. */
export function registerSigningModules(app: FastifyInstance, folder: URL): void {
  for (const name of modules) {
    let stored: StoredText | undefined
    app.get(`/docs/sdk/${name}`, (_request, reply) => {
      stored ??= storeText('text/javascript; charset=utf-8', readModule(new URL(`sdk/src/${name}`, folder)))
      return sendStored(reply, stored, ASSET_HEADERS)
    })
  }
}

function readModule(file: URL): string {
  return stripTypeScriptTypes(readFileSync(file, 'utf8'))
}
