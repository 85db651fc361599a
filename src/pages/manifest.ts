// Every script that our pages may run, with its hash, kept in the repository. A script that differs, is missing or is not
// listed stops the start; a browser runs nothing else, because each script tag carries the hash.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { SettingError } from '../errors/catalogue.ts'

export type Manifest = Readonly<Record<string, string>>

export const assetsFolder = new URL('./assets/', import.meta.url)
export const manifestFile = new URL('manifest.json', assetsFolder)

let checked: Manifest | undefined

/** The manifest, once what lies on the disk was found to agree with it. */
export function scriptManifest(): Manifest {
  checked ??= checkManifest(readManifest(), hashScripts(assetsFolder))
  return checked
}

export function integrityOf(script: string): string {
  const hash = scriptManifest()[script]
  if (hash === undefined) throw new Error(`no script of our pages: ${script}`)
  return hash
}

export function checkManifest(manifest: Manifest, scripts: Manifest): Manifest {
  for (const name of new Set([...Object.keys(manifest), ...Object.keys(scripts)])) {
    const why = differenceOf(manifest[name], scripts[name])
    if (why !== undefined)
      throw new SettingError(
        `the payment pages' script ${name} ${why}: nothing is served before that is cleared up`,
      )
  }
  return manifest
}

function differenceOf(listed: string | undefined, found: string | undefined): string | undefined {
  if (listed === undefined) return 'is not in the manifest of scripts'
  if (found === undefined) return 'is missing'
  return listed === found ? undefined : 'is not the one in the manifest of scripts'
}

export function hashScripts(folder: URL): Manifest {
  const names = readdirSync(folder).filter((name) => name.endsWith('.js'))
  return Object.fromEntries(names.sort().map((name) => [name, hashOf(readFileSync(new URL(name, folder)))]))
}

export function hashOf(content: string | Buffer): string {
  return `sha384-${createHash('sha384').update(content).digest('base64')}`
}

function readManifest(): Manifest {
  return JSON.parse(readFileSync(manifestFile, 'utf8'))
}
