// The manifest lists the scripts that our pages may run, with their hashes. The gateway does not start if a script
// differs, is missing or is not listed. Script tags carry the hashes, so browsers refuse a changed script. PCI DSS
// 6.4.3 and 11.6.1 require this control for pages where cards are typed.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { SettingError } from '../errors/catalogue.ts'

export type Manifest = Readonly<Record<string, string>>

export const assetsFolder = new URL('./assets/', import.meta.url)
export const manifestFile = new URL('manifest.json', assetsFolder)

let checked: Manifest | undefined

/** Returns the manifest. Throws if the files do not match the manifest. */
export function scriptManifest(): Manifest {
  checked ??= checkManifest(readManifest(), hashScripts(assetsFolder))
  return checked
}

export function integrityOf(script: string): string {
  const hash = scriptManifest()[script]
  if (hash === undefined) throw new Error(`not a script of our pages: ${script}`)
  return hash
}

export function checkManifest(manifest: Manifest, scripts: Manifest): Manifest {
  for (const name of new Set([...Object.keys(manifest), ...Object.keys(scripts)])) {
    const why = differenceOf(manifest[name], scripts[name])
    if (why !== undefined)
      throw new SettingError(
        `the payment pages' script ${name} ${why}: restore the released file, or run npm run manifest after an intended change`,
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
