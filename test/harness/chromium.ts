// The browser of the tests: the system's Chromium. If it is missing, it is installed from Debian's packages where
// possible; elsewhere a message says what to install. The headless shell has the same engine without windows, menus
// and their processes, and needs a third less time.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { userInfo } from 'node:os'
import { type Browser, chromium } from 'playwright-core'

/** Older versions of Debian have only the second package. */
const packages = ['chromium-headless-shell', 'chromium']
const places = [
  ...packages.map((name) => `/usr/bin/${name}`),
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]
/** The time that a test waits for something on a page: far more than any machine needs. */
export const PAGE_PATIENCE_MS = 120_000
const APT_GET = '/usr/bin/apt-get'

/** The flags suit a machine with few processors and no screen, and prevent calls to Google. */
const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * True if the test file needs a browser: one story of payers that runs in every `npm test`, and all files with
 * `.browser` in their name.
 */
export function needsBrowser(file: string): boolean {
  return file.endsWith('.browser.test.ts') || file === 'test/stories/checkout.test.ts'
}

/** Makes sure that Chromium is installed. Throws an error that tells the remedy. */
export function provideChromium(say: (line: string) => void): string {
  const found = findChromium()
  if (found !== undefined) return found
  if (!existsSync(APT_GET) || userInfo().uid !== 0) throw new Error(advice)
  say('the browser tests need Chromium: installing it with apt-get')
  if (!apt('update')) throw new Error(advice)
  if (!packages.some((name) => apt('install', '-y', '--no-install-recommends', name))) throw new Error(advice)
  const installed = findChromium()
  if (installed === undefined) throw new Error(advice)
  say(`${installed} is installed`)
  return installed
}

/** Launches Chromium with a new profile. */
export function launchChromium(): Promise<Browser> {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error(advice)
  return chromium.launch({ executablePath, args: flags })
}

const advice =
  'The browser tests need Chromium: install it (on Debian "apt-get install chromium-headless-shell", as root), or set TOLLGATE_CHROMIUM to the program.'

function findChromium(): string | undefined {
  const named = process.env.TOLLGATE_CHROMIUM
  if (named === undefined || named === '') return places.find((place) => existsSync(place))
  if (!existsSync(named)) throw new Error(`TOLLGATE_CHROMIUM names ${named}, which is not there.`)
  return named
}

/** Returns true if apt-get succeeded. */
function apt(...args: readonly string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  // The output of apt-get goes to stderr, because stdout belongs to the tests.
  return spawnSync(APT_GET, args, { stdio: ['ignore', 2, 2], env }).status === 0
}
