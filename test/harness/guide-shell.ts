// A shell in a folder of its own, into which tests type the commands of the documents. In the folder of a guide's shell
// `npm run tollgate` and `npm start` run the programs of this repository.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { eventually } from './eventually.ts'

export type Wanted = {
  readonly prints: RegExp
  /** The action to take once a program that runs until Ctrl-C has printed that it is ready. */
  readonly whileRunning?: { readonly ready: RegExp; act(): Promise<unknown> }
}

export type GuideShell = {
  /** Types the commands. Fails if a command fails, or prints something unexpected. */
  type(commands: string, wanted: Wanted): Promise<void>
  write(file: string, text: string): void
  remove(): void
}

const root = fileURLToPath(new URL('../..', import.meta.url))

export function openGuideShell(settings: Readonly<Record<string, string>>): GuideShell {
  const shell = openShell(settings)
  const program = (file: string) => `'${process.execPath}' '${join(root, file)}'`
  const scripts = { tollgate: program('src/operator/cli/cli.ts'), start: program('src/gateway/main.ts') }
  shell.write('package.json', JSON.stringify({ private: true, scripts }))
  return shell
}

/** Opens a shell in an empty folder. */
export function openShell(settings: Readonly<Record<string, string>>): GuideShell {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-shell-'))
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text)
  const outer = Object.entries(process.env).filter(([name]) => !/^(TOLLGATE|NODE)_/.test(name))
  const env = { ...Object.fromEntries(outer), ...settings }
  return {
    async type(commands, { prints, whileRunning }) {
      // The shell leads a process group, which Ctrl-C interrupts as a whole.
      const shell = spawn('bash', ['-ec', commands], { cwd: folder, env, detached: true })
      const { pid } = shell
      assert.ok(pid, 'bash is installed')
      let printed = ''
      for (const stream of [shell.stdout, shell.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => {
          printed += text
        })
      const closed = once(shell, 'close')
      try {
        if (whileRunning !== undefined) {
          assert.ok(await eventually(() => whileRunning.ready.test(printed)), printed)
          await whileRunning.act()
          assert.ok(await eventually(() => prints.test(printed)), printed)
          process.kill(-pid, 'SIGINT')
        }
        const [status] = await closed
        if (whileRunning === undefined) assert.equal(status, 0, printed)
        assert.match(printed, prints)
      } finally {
        if (shell.exitCode === null && shell.signalCode === null) process.kill(-pid, 'SIGKILL')
      }
    },
    write,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
