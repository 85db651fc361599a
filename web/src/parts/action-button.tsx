// A button that does something immediately. If the server refuses, the reason is shown below the button.
import { Button, type ButtonProps, Text } from '@mantine/core'
import { useAction } from './use-action.ts'

type Props = Pick<ButtonProps, 'size' | 'variant' | 'color' | 'leftSection' | 'disabled'> & {
  readonly run: () => Promise<unknown>
  readonly children: string
}

export function ActionButton({ run, children, variant = 'default', ...props }: Props) {
  const action = useAction()
  return (
    <div>
      <Button variant={variant} {...props} loading={action.isRunning} onClick={() => action.run(run)}>
        {children}
      </Button>
      {action.problem !== undefined && (
        <Text role="alert" size="sm" c="var(--error)" mt={4}>
          {action.problem}
        </Text>
      )}
    </div>
  )
}
