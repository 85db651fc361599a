// The built web app, read once into memory: a build that replaces the files later cannot mix with the one that is served.
import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

export type Asset = {
  readonly type: string
  readonly plain: Buffer
  readonly gzip: Buffer | undefined
  readonly brotli: Buffer | undefined
}

export type BuiltApp = {
  /** With NONCE where the nonce of an answer belongs. */
  readonly page: string
  readonly assets: ReadonlyMap<string, Asset>
}

export const builtAppFolder = fileURLToPath(new URL('../../../web/dist/', import.meta.url))

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** Undefined if it was not built: a worker's image has no web/. */
export async function readBuiltApp(folder: string): Promise<BuiltApp | undefined> {
  const page = await readOrMiss(`${folder}/index.html`)
  if (page === undefined) return undefined
  const names = await readdir(`${folder}/assets`)
  const served = names.filter((name) => types[extname(name)] !== undefined)
  const assets = await Promise.all(
    served.map(async (name) => [name, await readAsset(`${folder}/assets/${name}`)] as const),
  )
  return { page: page.toString('utf8'), assets: new Map(assets) }
}

async function readAsset(path: string): Promise<Asset> {
  const [plain, gzip, brotli] = await Promise.all([
    readFile(path),
    readOrMiss(`${path}.gz`),
    readOrMiss(`${path}.br`),
  ])
  return { type: types[extname(path)] ?? '', plain, gzip, brotli }
}

async function readOrMiss(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
