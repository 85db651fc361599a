// The samples of examples/, built in a copy of their folder and run as their README says.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Tool } from './debian-packages.ts'

export type Language = {
  /** The name of the language's folder in examples/. */
  readonly name: string
  readonly tools: readonly Tool[]
  /** Prepares the copy. */
  readonly build?: (folder: string) => unknown
  readonly command: (task: string) => readonly string[]
  /** Starts the receiver of notifications; undefined if the language has none. */
  readonly server: ((port: number) => readonly string[]) | undefined
}

export type Env = Readonly<Record<string, string>>

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
/** The time-outs are far more than any sample needs, even on a busy machine. */
const BUILD_WITHIN_MS = 600_000
const RUN_WITHIN_MS = 600_000

function withServer(command: Language['command']): Pick<Language, 'command' | 'server'> {
  return { command, server: (port) => [...command('verify-notification'), String(port)] }
}

export const languages: readonly Language[] = [
  {
    name: 'curl',
    tools: ['curl', 'openssl', 'jq'].map((name) => ({ program: name, package: name })),
    command: (task) => ['bash', `${task}.sh`],
    server: undefined,
  },
  {
    name: 'typescript',
    tools: [],
    build: linkSdk,
    ...withServer((task) => [process.execPath, `${task}.ts`]),
  },
  {
    name: 'php',
    tools: [{ program: 'php', package: 'php-cli' }],
    command: (task) => ['php', `${task}.php`],
    server: (port) => ['php', '-S', `127.0.0.1:${port}`, 'verify-notification.php'],
  },
  {
    name: 'python',
    tools: ['python3', 'openssl'].map((name) => ({ program: name, package: name })),
    ...withServer((task) => ['python3', `${task}.py`]),
  },
  {
    name: 'java',
    tools: [{ program: 'javac', package: 'default-jdk-headless' }],
    build: (folder) => built(folder, 'javac -d . *.java'),
    ...withServer((task) => ['java', '-XX:TieredStopAtLevel=1', '-cp', '.', classOf(task)]),
  },
  {
    name: 'go',
    tools: [{ program: 'go', package: 'golang-go' }],
    build: (folder) => built(folder, 'go vet . && go build -o samples .'),
    ...withServer((task) => ['./samples', task]),
  },
]

function built(folder: string, command: string): Promise<unknown> {
  // Go needs a folder for its cache, which must not be one of the copy's packages.
  const env = { ...process.env, GOCACHE: `${folder}-cache`, GOFLAGS: '-mod=mod' }
  return run('sh', ['-c', command], { cwd: folder, env, timeout: BUILD_WITHIN_MS })
}

/** Returns the class of a task: `verify-notification` is VerifyNotification. */
function classOf(task: string): string {
  return task.replaceAll(/(?:^|-)(\w)/g, (_, first: string) => first.toUpperCase())
}

/** Links the package as it is in sdk/, without a build: sdk-package.long.test.ts installs the built package. */
function linkSdk(folder: string): void {
  const linked = join(folder, 'node_modules/@tollgate/sdk')
  mkdirSync(linked, { recursive: true })
  symlinkSync(join(root, 'sdk/src'), join(linked, 'src'))
  const manifest = { name: '@tollgate/sdk', type: 'module', exports: './src/entry.ts' }
  writeFileSync(join(linked, 'package.json'), JSON.stringify(manifest))
}

export type Samples = Programs & {
  /** Returns the same programs with other settings. */
  under(env: Env): Programs
  /** Writes a file in the copy's folder. */
  write(name: string, text: string): string
  remove(): void
}

type Programs = {
  /**
   * Runs a program, and returns the lines that it printed. Rejects if it failed, with a message that contains its
   * standard error.
   */
  run(task: string, ...args: readonly string[]): Promise<string[]>
  /** Starts the receiver of notifications. */
  serve(port: number): Served
}

export type Served = { output(): string; isRunning(): boolean; stop(): void }

export async function openSamples({ name, build, command, server }: Language, env: Env): Promise<Samples> {
  const parent = mkdtempSync(join(tmpdir(), `tollgate-${name}-`))
  const folder = join(parent, name)
  cpSync(join(root, 'examples', name), folder, { recursive: true })
  await build?.(folder)
  const children: ChildProcess[] = []
  const under = (settings: Env): Programs => {
    const options = { cwd: folder, env: { ...withoutSettings(), ...settings } }
    return {
      async run(task, ...args) {
        const [program = '', ...rest] = command(task)
        const { stdout } = await run(program, [...rest, ...args], { ...options, timeout: RUN_WITHIN_MS })
        return stdout.trimEnd().split('\n')
      },
      serve(port) {
        const [program = '', ...args] = server?.(port) ?? []
        const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
        children.push(child)
        let printed = ''
        for (const stream of [child.stdout, child.stderr])
          stream?.setEncoding('utf8').on('data', (text: string) => {
            printed += text
          })
        return {
          output: () => printed,
          isRunning: () => child.exitCode === null && child.signalCode === null,
          stop: () => child.kill('SIGKILL'),
        }
      },
    }
  }
  return {
    ...under(env),
    under,
    write(file, text) {
      const path = join(folder, file)
      writeFileSync(path, text)
      return path
    },
    remove() {
      for (const child of children) child.kill('SIGKILL')
      rmSync(parent, { recursive: true, force: true })
    },
  }
}

function withoutSettings(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(TOLLGATE|NODE)_/.test(name)))
}
