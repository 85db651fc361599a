// Packs the SDK and the plugins into a folder, as files that `npm install` takes. setup.mjs runs this program when one of
// them has changed: node plugins/pack.ts downloads.next. The bytes depend on the sources and the pinned Node only, so
// every machine makes the same files.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const root = fileURLToPath(new URL('..', import.meta.url))
const [out = 'downloads.next'] = process.argv.slice(2)

/** The folder of each package, and the folder of the package into which its sources are compiled. */
const packages = { sdk: 'dist', 'plugins/medusa': '.medusa/server/src', 'plugins/vendure': 'dist' }

/** The size of a block in a tar archive. */
const BLOCK_BYTES = 512
/** The time of every file in packages of npm, in seconds. */
const MADE_AT = 499_162_500
/** The place of the operating system in the head of a gzip file, and the value for an unknown one. */
const SYSTEM_AT = 9
const UNKNOWN_SYSTEM = 255

type Manifest = {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly peerDependencies?: Readonly<Record<string, string>>
}

rmSync(out, { recursive: true, force: true })
mkdirSync(out, { recursive: true })
const listed = Object.entries(packages).map(([folder, compiled]) => pack(folder, compiled))
writeFileSync(join(out, 'packages.json'), `${JSON.stringify(listed, undefined, 2)}\n`)

function pack(folder: string, compiled: string) {
  const manifest: Manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
  const { name, version, description, peerDependencies = {} } = manifest
  const built = join(out, 'built')
  compile(folder, join(built, compiled))
  for (const file of ['package.json', 'README.md']) writeFileSync(join(built, file), textOf(folder, file))
  const file = `${name.replace('@', '').replace('/', '-')}-${version}.tgz`
  writeFileSync(join(out, file), gzipped(archiveOf(built)))
  rmSync(built, { recursive: true })
  return { name, version, description, file, needs: Object.keys(peerDependencies) }
}

/**
 * The plugins' own dependencies are not installed here, so their types cannot be checked; the tests of the plugins do
 * that. The compiled code does not depend on types (verbatimModuleSyntax).
 */
function compile(folder: string, into: string): void {
  const options = folder === 'sdk' ? [] : ['--noCheck']
  const compiler = join(root, 'node_modules/.bin/tsc')
  const project = join(root, folder, 'tsconfig.json')
  execFileSync(compiler, ['--project', project, '--outDir', into, ...options], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}

/** The README outside of a gateway's documentation, which fills in its own address. */
function textOf(folder: string, file: string): string {
  return readFileSync(join(root, folder, file), 'utf8').replaceAll('{{baseUrl}}', 'https://pay.example')
}

// The archive is written here, because archives of npm differ between its versions.

function archiveOf(folder: string): Buffer {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  const blocks = paths.flatMap((path) => {
    const content = readFileSync(path)
    const rest = Buffer.alloc((BLOCK_BYTES - (content.length % BLOCK_BYTES)) % BLOCK_BYTES)
    return [headOf(`package${path.slice(folder.length)}`, content.length), content, rest]
  })
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK_BYTES)])
}

/** The head of a file in a tar archive (POSIX ustar). */
function headOf(path: string, size: number): Buffer {
  const name = Buffer.from(path)
  if (name.length > 100) throw new Error(`the path ${path} is too long for a tar archive`)
  const head = Buffer.alloc(BLOCK_BYTES)
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`
  name.copy(head)
  head.write(octal(0o644, 7), 100)
  head.write(octal(0, 7), 108)
  head.write(octal(0, 7), 116)
  head.write(octal(size, 11), 124)
  head.write(octal(MADE_AT, 11), 136)
  // The sum of all bytes of the head counts its own field as spaces.
  head.write(' '.repeat(8), 148)
  head.write('0', 156)
  head.write('ustar\x0000', 257)
  const sum = head.reduce((total, byte) => total + byte, 0)
  head.write(`${octal(sum, 6)} `, 148)
  return head
}

function gzipped(bytes: Buffer): Buffer {
  const packed = gzipSync(bytes, { level: 9 })
  packed[SYSTEM_AT] = UNKNOWN_SYSTEM
  return packed
}
