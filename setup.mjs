// Every npm script runs this first: it installs what package-lock.json pins, including Node, or stops the script. It
// runs on the machine's own Node (18 or later), so it is plain JavaScript. Standard output belongs to the command that
// follows; all messages here go to standard error.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { delimiter } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

process.chdir(fileURLToPath(new URL('.', import.meta.url)))

const lock = '.setup.lock'
const pinnedNode = JSON.parse(readFileSync('package.json', 'utf8')).devDependencies.node

if (whatIsMissing()) await installAlone()

/** Describes the first difference from the lock file; undefined when everything is installed. */
function whatIsMissing() {
  const wanted = packagesIn('package-lock.json')
  const present = packagesIn('node_modules/.package-lock.json')
  if (!wanted || !present) return 'node_modules does not match package-lock.json'
  for (const [path, pkg] of Object.entries(wanted)) {
    if (path !== '' && !isInstalled(path, pkg, present[path])) return `${path} is not at ${pkg.version}`
  }
  const node = spawnSync('node_modules/.bin/node', ['--version'], { encoding: 'utf8' })
  if (node.stdout?.trim() !== `v${pinnedNode}`) return `node_modules/.bin/node is not Node ${pinnedNode}`
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

async function installAlone() {
  await takeLock()
  process.on('exit', () => rmSync(lock, { force: true }))
  if (whatIsMissing()) await install()
}

async function install() {
  say(`installing Node ${pinnedNode} and the packages of package-lock.json …`)
  const { status, output } = await npm('ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund')
  if (status !== 0) {
    fail(
      `npm ci failed (${status}):\n${output.trim()}\nCheck npm, the network and the disk, then run the same again.`,
    )
  }
  const missing = whatIsMissing()
  if (missing) {
    const hint =
      'npm must be free to run install scripts (npm config get ignore-scripts) and to reach its registry'
    fail(`npm ci ended well, but ${missing}.\n${output.trim()}\n${hint}; then run the same again.`)
  }
  compileAhead()
}

/** Makes the first start as fast and as small as later ones. Its failure is harmless. */
function compileAhead() {
  const env = { ...process.env, NODE_COMPILE_CACHE: `${process.cwd()}/node_modules/.cache/compiled` }
  const program = "await import('./src/gateway.ts'); process.exit()"
  spawnSync('node_modules/.bin/node', ['--input-type=module', '--eval', program], {
    env,
    stdio: 'ignore',
    timeout: 60_000,
  })
}

/** Runs npm and collects its output, to show it after a failure. */
function npm(...args) {
  return new Promise((resolve) => {
    // Inside an npm script the PATH begins with node_modules/.bin, whose Node is about to be replaced.
    const path = (process.env.PATH ?? '').split(delimiter).filter((dir) => !dir.endsWith('node_modules/.bin'))
    const env = { ...process.env, PATH: path.join(delimiter) }
    const child = spawn('npm', [...args, '--loglevel=warn'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
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

/** If this process is killed, npm continues, so the lock must stay valid until npm has ended. */
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
