/* Carat, an implementation of Ruby, inside programs in C.
 *
 * A VM stays on the thread that made it; only carat_stop may be called from others. Values and errors belong to the caller, who
 * frees each once, values before their VM. What returns a pointer returns NULL after an error, which is stored in *error unless
 * error is NULL. Nothing here jumps: every function returns, and so must the host's own functions. */
#ifndef CARAT_H
#define CARAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct carat_config carat_config;
typedef struct carat_vm carat_vm;
typedef struct carat_value carat_value;
typedef struct carat_error carat_error;

/* ---- what programs may do: nothing, until it is granted ---- */

carat_config *carat_config_new(void);
void carat_config_free(carat_config *config); /* for one that carat_new never took */
void carat_config_max_bytes(carat_config *config, size_t bytes);
void carat_config_deadline_ms(carat_config *config, uint64_t milliseconds); /* of each call from the host */
void carat_config_fuel(carat_config *config, uint64_t units);               /* polls, of each call from the host */
void carat_config_max_threads(carat_config *config, size_t threads);
void carat_config_allow_files(carat_config *config);
void carat_config_allow_processes(carat_config *config);
void carat_config_environment(carat_config *config, const char *name, const char *value);

/* What programs write; on whichever thread of the VM runs. */
typedef void (*carat_write)(void *data, const char *bytes, size_t length);
void carat_config_stdout(carat_config *config, carat_write write, void *data);
void carat_config_stderr(carat_config *config, carat_write write, void *data);

/* The source of a feature that require asks for, which stays readable until the next call; NULL if the host has none. */
typedef const char *(*carat_source)(void *data, const char *feature);
void carat_config_sources(carat_config *config, carat_source find, void *data);

/* ---- VMs ---- */

carat_vm *carat_new(carat_config *config, carat_error **error); /* takes the config */
void carat_free(carat_vm *vm);
carat_value *carat_eval(carat_vm *vm, const char *source, size_t length, const char *file, carat_error **error);
carat_value *carat_call(carat_vm *vm, const carat_value *receiver, const char *method, size_t count,
                        const carat_value *const *arguments, carat_error **error);
carat_value *carat_constant(carat_vm *vm, const char *path, carat_error **error);
void carat_stop(carat_vm *vm); /* from any thread, while the VM lives: ends what it runs */
size_t carat_bytes_in_use(carat_vm *vm);
void carat_collect_garbage(carat_vm *vm);

/* A function of the host's, for programs to call. It may use the VM, and returns a value that it gives away; or NULL, with an
 * error in *error that it gives away or none. Arguments are the caller's. */
typedef carat_value *(*carat_function)(carat_vm *vm, void *data, size_t count, const carat_value *const *arguments,
                                       carat_error **error);
bool carat_define(carat_vm *vm, const char *name, carat_function function, void *data, carat_error **error);

/* ---- values ---- */

carat_value *carat_nil(carat_vm *vm);
carat_value *carat_bool(carat_vm *vm, bool value);
carat_value *carat_int(carat_vm *vm, int64_t value);
carat_value *carat_float(carat_vm *vm, double value);
carat_value *carat_string(carat_vm *vm, const char *bytes, size_t length); /* UTF-8 */
carat_value *carat_array(carat_vm *vm, size_t count, const carat_value *const *elements);
carat_value *carat_copy(const carat_value *value); /* another handle of the same object */
void carat_value_free(carat_value *value);

bool carat_is_nil(carat_vm *vm, const carat_value *value);
bool carat_truthy(carat_vm *vm, const carat_value *value);
bool carat_get_int(carat_vm *vm, const carat_value *value, int64_t *into); /* false: no Integer of 64 bits */
bool carat_get_float(carat_vm *vm, const carat_value *value, double *into);
/* Bytes of a String, or NULL. A NUL follows them; they stay where they are until the handle is freed or asked again. */
const char *carat_get_string(carat_vm *vm, carat_value *value, size_t *length);
carat_value *carat_at(carat_vm *vm, const carat_value *array, size_t index); /* NULL: no Array, or not so long */

/* ---- errors ---- */

typedef enum {
  CARAT_EXCEPTION = 1, /* that nobody rescued */
  CARAT_MEMORY,
  CARAT_DEADLINE,
  CARAT_FUEL,
  CARAT_STOPPED,
  CARAT_EXIT, /* exit was called */
  CARAT_HOST  /* the host asked for what cannot be */
} carat_kind;

carat_error *carat_error_new(const char *exception_class, const char *message); /* for functions of the host */
void carat_error_free(carat_error *error);
carat_kind carat_error_kind(const carat_error *error);
int carat_error_status(const carat_error *error); /* of exit */
const char *carat_error_class(const carat_error *error);
const char *carat_error_message(const carat_error *error);
const char *carat_error_backtrace(const carat_error *error, size_t index); /* NULL behind the last line */

#ifdef __cplusplus
}
#endif

#endif
