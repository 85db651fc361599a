// Every npm script runs this first: it installs what package-lock.json pins, including Node, builds the web app of the back
// office, and packs the SDK and the plugins, or stops the script. It runs on the machine's own Node (18 or later), so it is
// plain JavaScript. Standard output belongs to the command that follows; all messages here go to standard error.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

process.chdir(fileURLToPath(new URL('.', import.meta.url)))

const lock = '.setup.lock'
const pinnedNode = JSON.parse(readFileSync('package.json', 'utf8')).devDependencies.node

/** A copy without the web app's sources, as for workers, is complete without them. */
const hasWeb = existsSync('web/package-lock.json')

/** What is built here. Each has its program, the sources that it reads, and the folder that it writes. */
const web = {
  program: 'web/build.ts',
  sources: ['web'],
  into: 'web/dist',
  what: 'the web app of the back office',
}
const packages = {
  program: 'plugins/pack.ts',
  sources: [
    'sdk',
    'plugins/medusa',
    'plugins/vendure',
    'plugins/pack.ts',
    'tsconfig.json',
    'package-lock.json',
  ],
  into: 'downloads',
  what: 'the packages of the SDK and the plugins',
}
const builds = [web, packages].filter(({ program }) => existsSync(program))

if (whatIsMissing() || webLacks() || builds.some(isOutdated)) await completeAlone()

/** Describes the first difference from the lock file; undefined when everything is installed. */
function whatIsMissing() {
  const missing = missingPackage('.')
  if (missing) return missing
  const node = spawnSync('node_modules/.bin/node', ['--version'], { encoding: 'utf8' })
  if (node.stdout?.trim() !== `v${pinnedNode}`) return `node_modules/.bin/node is not Node ${pinnedNode}`
}

function webLacks() {
  return hasWeb ? missingPackage('web') : undefined
}

function isOutdated({ into, sources }) {
  return builtFrom(into) !== hashOf(sources)
}

function missingPackage(folder) {
  const wanted = packagesIn(join(folder, 'package-lock.json'))
  const present = packagesIn(join(folder, 'node_modules/.package-lock.json'))
  if (!wanted || !present) return `${join(folder, 'node_modules')} does not match package-lock.json`
  for (const [path, pkg] of Object.entries(wanted)) {
    if (path !== '' && !isInstalled(join(folder, path), pkg, present[path]))
      return `${join(folder, path)} is not at ${pkg.version}`
  }
}

/** The hash of the sources from which a folder was built. */
function builtFrom(folder) {
  try {
    return readFileSync(join(folder, 'built-from'), 'utf8')
  } catch {
    return undefined // not built yet
  }
}

/** The hash of all files that the build reads. Contents instead of times: a fresh clone and a switched branch have new times. */
function hashOf(sources) {
  const hash = createHash('sha256')
  for (const path of sources.flatMap(filesUnder))
    hash.update(`${path}\0`).update(readFileSync(path)).update('\0')
  return hash.digest('hex')
}

function filesUnder(folder) {
  if (!statSync(folder).isDirectory()) return [folder]
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name)
    if (/^(node_modules|dist|dist\.next|\..*)$/.test(entry.name)) return []
    return entry.isDirectory() ? filesUnder(path) : [path]
  })
}

/** npm writes the second of the two files as the last step of a successful installation. */
function packagesIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch {
    return undefined // missing or invalid: npm ci repairs the former and explains the latter
  }
}

function isInstalled(path, wanted, present) {
  if (!present) return !isNeededHere(wanted)
  return present.version === wanted.version && present.integrity === wanted.integrity && existsSync(path)
}

/** npm ignores an optional package that it could not fetch; a package for this platform is required later. */
function isNeededHere(pkg) {
  return !pkg.optional || (pkg.os?.includes(process.platform) && pkg.cpu?.includes(process.arch) && !pkg.libc)
}

async function completeAlone() {
  await takeLock()
  process.on('exit', () => rmSync(lock, { force: true }))
  if (whatIsMissing()) {
    say(`installing Node ${pinnedNode} and the packages of package-lock.json …`)
    await install('.', whatIsMissing)
    compileAhead()
  }
  if (webLacks()) {
    say('installing the packages of web/package-lock.json …')
    await install('web', webLacks)
  }
  for (const build of builds.filter(isOutdated)) await make(build)
}

async function install(folder, whatLacks) {
  const options = ['--include=dev', '--include=optional', '--no-audit', '--no-fund']
  const { status, output } = await npm(folder, 'ci', ...options)
  if (status !== 0) {
    fail(
      `npm ci failed (${status}):\n${output.trim()}\nCheck npm, the network and the disk, then run the same again.`,
    )
  }
  const missing = whatLacks()
  if (missing) {
    const hint =
      'npm must be free to run install scripts (npm config get ignore-scripts) and to reach its registry'
    fail(`npm ci ended well, but ${missing}.\n${output.trim()}\n${hint}; then run the same again.`)
  }
}

/** The finished build replaces the one before in one step: a gateway that starts meanwhile finds either. */
async function make({ program, sources, into, what }) {
  say(`building ${what} …`)
  const hash = hashOf(sources)
  const next = `${into}.next`
  const { status, output } = await run('node_modules/.bin/node', [program, next], process.env)
  if (status !== 0) fail(`${what} cannot be built (${status}):\n${output.trim()}`)
  writeFileSync(join(next, 'built-from'), hash)
  rmSync(into, { recursive: true, force: true })
  renameSync(next, into)
}

/** Makes the first start as fast and as small as later ones. Its failure is harmless. */
function compileAhead() {
  const env = { ...process.env, NODE_COMPILE_CACHE: `${process.cwd()}/node_modules/.cache/compiled` }
  const program = "await import('./src/gateway/gateway.ts'); process.exit()"
  spawnSync('node_modules/.bin/node', ['--input-type=module', '--eval', program], {
    env,
    stdio: 'ignore',
    timeout: 60_000,
  })
}

function npm(folder, ...args) {
  // Inside an npm script the PATH begins with node_modules/.bin, whose Node is about to be replaced.
  const path = (process.env.PATH ?? '').split(delimiter).filter((dir) => !dir.endsWith('node_modules/.bin'))
  return run('npm', [...args, '--loglevel=warn'], { ...process.env, PATH: path.join(delimiter) }, folder)
}

/** Runs a program and collects its output, to show it after a failure. */
function run(program, args, env, cwd = '.') {
  return new Promise((resolve) => {
    const child = spawn(program, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk
      })
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
    child.on('error', (error) => resolve({ status: error.code, output: error.message }))
    child.on('close', (code, signal) => resolve({ status: code ?? signal, output }))
    if (child.pid) shareLockWith(child.pid)
  })
}

/** The lock is a dangling symbolic link: created atomically, and its target names the owners. */
async function takeLock() {
  for (let waited = 0; ; waited += 100) {
    try {
      symlinkSync(`${process.pid}`, lock)
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    // Two processes that find the same dead lock may both remove it; after a pause only one of them reads its own name.
    await sleep(100)
    const holders = lockHolders()
    if (holders[0] === process.pid) return
    if (!holders.some(isAlive)) rmSync(lock, { force: true })
    if (waited === 1000) say(`waiting for process ${holders[0]}, which holds ${lock} and installs the same …`)
  }
}

/** If this process is killed, its child continues, so the lock must stay valid until the child has ended. */
function shareLockWith(pid) {
  const next = `${lock}.${process.pid}`
  symlinkSync(`${process.pid}+${pid}`, next)
  renameSync(next, lock)
}

function lockHolders() {
  try {
    return readlinkSync(lock).split('+').map(Number)
  } catch (error) {
    if (error.code === 'ENOENT') return []
    throw error
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function say(line) {
  process.stderr.write(`set-up: ${line}\n`)
}

function fail(message) {
  say(message)
  process.exit(1)
}
