// The pictures in docs/pictures. Only their names are held: the files are read when they are asked for.
import { closeSync, openSync, readdirSync, readSync } from 'node:fs'

const FOLDER = 'docs/pictures/'
/** A PNG file has its size in the first 24 bytes. */
const HEAD_BYTES = 24

export type Picture = { readonly name: string; readonly width: number; readonly height: number }

export function openPictures(root: URL) {
  const folder = new URL(FOLDER, root)
  const names = new Set(readdirSync(folder).filter((name) => /^[\w-]+\.png$/.test(name)))
  return {
    /** By the path in the repository. */
    find(file: string): Picture | undefined {
      const name = file.startsWith(FOLDER) ? file.slice(FOLDER.length) : ''
      return names.has(name) ? { name, ...sizeOf(new URL(name, folder)) } : undefined
    },
    /** By its name in the address. */
    fileOf(name: string): URL | undefined {
      return names.has(name) ? new URL(name, folder) : undefined
    },
  }
}

/** Pages tell browsers the size, so that nothing moves when a picture arrives. */
function sizeOf(file: URL): { readonly width: number; readonly height: number } {
  const head = Buffer.alloc(HEAD_BYTES)
  const handle = openSync(file, 'r')
  try {
    readSync(handle, head, 0, HEAD_BYTES, 0)
  } finally {
    closeSync(handle)
  }
  return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) }
}
