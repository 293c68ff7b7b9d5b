/* Carat in a program in C: cc host.c $(pkg-config --cflags --libs carat-embed) */
#include <carat.h>
#include <stdio.h>
#include <string.h>

static void print(void *data, const char *bytes, size_t length) {
  (void)data;
  fwrite(bytes, 1, length, stdout);
}

static carat_value *add(carat_vm *vm, void *data, size_t count, const carat_value *const *arguments, carat_error **error) {
  int64_t sum = *(int64_t *)data;
  for (size_t i = 0; i < count; i++) {
    int64_t number;
    if (!carat_get_int(vm, arguments[i], &number)) {
      *error = carat_error_new("TypeError", "add takes integers");
      return NULL;
    }
    sum += number;
  }
  return carat_int(vm, sum);
}

static carat_value *twice(carat_vm *vm, void *data, size_t count, const carat_value *const *arguments, carat_error **error) {
  (void)data;
  if (count != 1)
    return NULL;
  carat_value *once = carat_call(vm, arguments[0], "call", 0, NULL, error);
  if (!once)
    return NULL;
  carat_value_free(once);
  return carat_call(vm, arguments[0], "call", 0, NULL, error);
}

static void run(carat_vm *vm, const char *source) {
  carat_error *error = NULL;
  carat_value *value = carat_eval(vm, source, strlen(source), "host.rb", &error);
  if (value) {
    carat_value *shown = carat_call(vm, value, "inspect", 0, NULL, NULL);
    printf("=> %s\n", carat_get_string(vm, shown, NULL));
    carat_value_free(shown);
    carat_value_free(value);
  } else {
    printf("error %d, %s: %s\n", (int)carat_error_kind(error), carat_error_class(error), carat_error_message(error));
    const char *line = carat_error_backtrace(error, 0);
    if (line)
      printf("  %s\n", line);
    carat_error_free(error);
  }
}

int main(void) {
  carat_config *config = carat_config_new();
  carat_config_max_bytes(config, 64 << 20);
  carat_config_deadline_ms(config, 200);
  carat_config_stdout(config, print, NULL);
  carat_error *error = NULL;
  carat_vm *vm = carat_new(config, &error);
  if (!vm) {
    printf("%s\n", carat_error_message(error));
    return 1;
  }
  int64_t start = 1000;
  carat_define(vm, "add", add, &start, NULL);
  carat_define(vm, "twice", twice, NULL, NULL);
  run(vm, "puts 'hello'; add(1, 2)");
  run(vm, "n = 0; twice(-> { n += 1 })");
  run(vm, "add('1')");
  run(vm, "twice(-> { raise IndexError, 'inside' })");
  run(vm, "begin; add(nil); rescue TypeError => e; e.message; end");
  run(vm, "f = Fiber.new { twice(-> { Fiber.yield 1 }) }; [f.resume, f.resume, f.resume(5)]");
  run(vm, "Thread.new { add(5) }.value");
  run(vm, "loop { begin; loop {}; rescue Exception; end }");
  run(vm, "'x' * 2**40");
  run(vm, "exit 3");
  run(vm, "fork");
  carat_value *object = carat_constant(vm, "RUBY_VERSION", NULL);
  printf("%s\n", carat_get_string(vm, object, NULL));
  carat_value_free(object);
  carat_value *numbers[2] = {carat_int(vm, 7), carat_float(vm, 0.5)};
  carat_value *array = carat_array(vm, 2, (const carat_value *const *)numbers);
  carat_value *second = carat_at(vm, array, 1);
  double half = 0;
  carat_get_float(vm, second, &half);
  printf("%g %s\n", half, carat_at(vm, array, 2) ? "more" : "no more");
  carat_value_free(second);
  carat_value_free(array);
  carat_value_free(numbers[0]);
  carat_value_free(numbers[1]);
  carat_free(vm);
  return 0;
}
