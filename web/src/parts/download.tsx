// A button that downloads a file from the API. The session is checked first, because otherwise a refusal could be saved
// as the file.
import { addressOf, type FileRoute, type InputOf, send } from '../api/send.ts'
import { ask } from '../api/session-gate.ts'
import { ActionButton } from './action-button.tsx'
import { Icon } from './icon.tsx'

type Props<Name extends FileRoute> = {
  readonly route: Name
  readonly input: InputOf<Name>
  readonly children: string
}

export function Download<Name extends FileRoute>({ route, input, children }: Props<Name>) {
  const save = async () => {
    const { me } = await send('GET /session', {})
    if (me === undefined) await ask('sign-in')
    const link = document.createElement('a')
    link.href = addressOf(route, input)
    link.download = ''
    link.click()
  }
  return (
    <ActionButton leftSection={<Icon name="download" size={16} />} run={save}>
      {children}
    </ActionButton>
  )
}
